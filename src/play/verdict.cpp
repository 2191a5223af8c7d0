#include "play/verdict.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

#include "geometry/query/self_intersections.h"

namespace pliant {
namespace {

constexpr double few = 0.01;            // of all: so many that nobody sees them,
constexpr double many = 0.5;            // unless it is so many of a frame's substeps
constexpr double overlap_share = 0.01;  // of the smallest body: overlap that is seen

/// The parts of a line, or of a text, between these.
std::vector<std::string_view> split(std::string_view text, char between) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(between), text.size());
    parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

/// A column of the table: its sum, its largest number and where that is, its last one.
struct Column {
  double sum = 0, most = 0, last = 0;
  int worst = 0;  // frame

  Column(const std::vector<std::string_view>& lines, std::string_view name) {
    if (lines.empty()) return;
    const std::vector<std::string_view> names = split(lines[0], ',');
    const auto column = std::size_t(std::find(names.begin(), names.end(), name) - names.begin());
    for (std::size_t frame = 0; frame + 1 < lines.size(); ++frame) {
      const std::vector<std::string_view> cells = split(lines[frame + 1], ',');
      if (column >= cells.size()) continue;
      last = 0;
      std::from_chars(cells[column].data(), cells[column].data() + cells[column].size(), last);
      sum += last;
      if (last > most) most = last, worst = int(frame);
    }
  }
};

}  // namespace

Verdict verdict_of(std::string_view metrics, const RunScale& scale) {
  const std::vector<std::string_view> lines = split(metrics, '\n');
  Verdict verdict;
  if (lines.size() < 3) return verdict;
  const double all = double(scale.substeps) * double(lines.size() - 2);  // frame 0 has none

  const Column unsolved(lines, "unconverged_substeps");
  if (unsolved.sum > few * all || unsolved.most >= many * scale.substeps)
    verdict.warnings.push_back(fmt::format(
        "contacts could not be solved to the end in {:.0f} of {:.0f} substeps, most in frame {} "
        "({:.0f}); what was pressed there may overlap or jump: more substeps, slower motion or "
        "stiffer bodies may help",
        unsolved.sum, all, unsolved.worst, unsolved.most));

  const Column overlap(lines, "max_penetration_m");
  if (overlap.most > overlap_share * scale.size)
    verdict.warnings.push_back(fmt::format("surfaces overlapped, by up to {:.2g} mm in frame {}",
                                           1e3 * overlap.most, overlap.worst));

  const Column inverted(lines, "inverted");
  const double seen = few * scale.nodes;  // there are about as many elements, or more
  if (inverted.last > seen)
    verdict.warnings.push_back(
        fmt::format("inside out at the end: {:.0f} elements; at most, in frame {}: {:.0f}",
                    inverted.last, inverted.worst, inverted.most));
  else if (inverted.most > seen)
    verdict.notes.push_back(
        fmt::format("up to {:.0f} elements were inside out, most in frame {}; {} at the end",
                    inverted.most, inverted.worst, inverted.last > 0 ? "few are" : "none is"));
  return verdict;
}

std::string self_overlap(const Body& body) {
  constexpr double few_triangles = 0.005;
  constexpr std::int64_t most_tests = 20'000'000;
  const auto overlapping = [&](const std::vector<Vec3>& points) {
    TriangleMesh mesh;
    mesh.points = points;
    mesh.triangles = body.drawn_skin().triangles;
    return mesh.triangles.empty()
               ? 0
               : int(find_self_intersections(mesh, Bvh(mesh), most_tests).triangles.size());
  };
  const double seen = few_triangles * double(body.drawn_skin().triangles.size());
  const int now = overlapping(body.drawn_skin().position);
  if (now <= seen) return "";
  const int built = overlapping(body.drawn_skin().rest);
  if (now - built <= seen) return "";
  return fmt::format(
      "{} passes through itself at the end, with {} of {} triangles of its skin{}: what is "
      "squeezed through itself stays so",
      body.name, now, body.drawn_skin().triangles.size(),
      built > 0 ? fmt::format(" ({} did as it was built)", built) : "");
}

}  // namespace pliant
