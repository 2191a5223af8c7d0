#include "play/verdict.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

#include "geometry/query/self_intersections.h"

namespace pliant {
namespace {

constexpr double few = 0.01;          // of all: so many that nobody sees them,
constexpr double many = 0.5;          // unless it is so many of a frame's substeps
constexpr double moment = 0.1;        // [s] of inverted elements that nobody sees
constexpr double least_volume = 0.8;  // of what a body had: a cow dropped from 0.8 m keeps 0.87
constexpr double gain_share = 0.3;    // of the energy: what contact and damping are off by is less
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

/// The numbers of a column of the table, by frame; empty when it has none of that name.
std::vector<double> column(const std::vector<std::string_view>& lines, std::string_view name) {
  std::vector<double> values;
  if (lines.empty()) return values;
  const std::vector<std::string_view> names = split(lines[0], ',');
  const auto at = std::size_t(std::find(names.begin(), names.end(), name) - names.begin());
  for (std::size_t frame = 0; frame + 1 < lines.size(); ++frame) {
    const std::vector<std::string_view> cells = split(lines[frame + 1], ',');
    if (at >= cells.size()) return {};
    double& value = values.emplace_back(0);
    std::from_chars(cells[at].data(), cells[at].data() + cells[at].size(), value);
  }
  return values;
}

/// What is said of a column: its sum, its largest and smallest number with their frames, its last
/// one, and how many are above a limit.
struct Column {
  double sum = 0, most = 0, last = 0, least = 1;  // least: of ratios, 1 or below
  int worst = 0, worst_least = 0;                 // frames
  int above = 0;

  Column(const std::vector<std::string_view>& lines, std::string_view name, double limit = 0) {
    const std::vector<double> values = column(lines, name);
    for (std::size_t frame = 0; frame < values.size(); ++frame) {
      last = values[frame];
      sum += last;
      if (last > most) most = last, worst = int(frame);
      if (last < least) least = last, worst_least = int(frame);
      above += last > limit;
    }
  }
};

/// By how much motion and height ever had more energy than there was at the start. What is elastic
/// later on is left out: near nu = 0.5 it follows the smallest error of volume.
struct Gain {
  double start = 0;  // [J] kinetic and elastic
  double most = 0;   // [J]
  int frame = 0;
};

Gain gain_of(const std::vector<std::string_view>& lines) {
  const std::vector<double> kinetic = column(lines, "kinetic_J"),
                            elastic = column(lines, "elastic_J"),
                            potential = column(lines, "potential_J");
  if (kinetic.empty() || elastic.empty() || potential.empty()) return {};
  Gain gain{kinetic[0] + elastic[0], 0, 0};
  for (std::size_t frame = 0; frame < kinetic.size(); ++frame) {
    const double more = kinetic[frame] + potential[frame] - potential[0] - gain.start;
    if (more > gain.most) gain.most = more, gain.frame = int(frame);
  }
  return gain;
}

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

  if (const Gain gain = gain_of(lines); scale.fall >= 0 && gain.start + scale.fall > 0) {
    const double share = gain.most / (gain.start + scale.fall);
    if (share > gain_share)
      verdict.warnings.push_back(fmt::format(
          "energy came out of nothing, {:.2g} J by frame {}, {:.2g} times what there was: the "
          "substeps do not resolve how stiff and how fast this is; more \"substeps\", a higher "
          "\"fps\" or a softer material do",
          gain.most, gain.frame, share));
  }

  const Column volume(lines, "volume_ratio");
  if (scale.keeps_volume && volume.least < least_volume)
    verdict.warnings.push_back(fmt::format(
        "volume was lost, down to {:.0f} % in frame {}; more substeps, slower motion or, for "
        "meshless, the law neo_hookean may help",
        100 * volume.least, volume.worst_least));

  const double seen = few * scale.nodes;  // there are about as many elements, or more
  const Column inverted(lines, "inverted", seen);
  const double long_inverted = double(inverted.above) / scale.fps;
  if (inverted.last <= seen && long_inverted > moment)
    verdict.warnings.push_back(
        fmt::format("up to {:.0f} elements were inside out, most in frame {}, for {:.2g} s in all",
                    inverted.most, inverted.worst, long_inverted));
  else if (inverted.last > seen)
    verdict.warnings.push_back(
        fmt::format("inside out at the end: {:.0f} elements; at most, in frame {}: {:.0f}",
                    inverted.last, inverted.worst, inverted.most));
  else if (inverted.most > seen)
    verdict.notes.push_back(
        fmt::format("up to {:.0f} elements were inside out, most in frame {}; {} at the end",
                    inverted.most, inverted.worst, inverted.last > 0 ? "few are" : "none is"));
  return verdict;
}

StaticVerdict static_verdict_of(std::string_view metrics) {
  const std::vector<std::string_view> lines = split(metrics, '\n');
  const Column unbalanced(lines, "unbalanced_bodies"), left(lines, "static_residual");
  StaticVerdict verdict;
  verdict.unbalanced = unbalanced.above;
  if (verdict.unbalanced > 0)
    verdict.warnings.push_back(fmt::format(
        "no equilibrium was found in {} of {} frames; up to {:.2g} of the force is left "
        "unbalanced. "
        "Is the body held against moving and turning? Are loads too large for its material?",
        verdict.unbalanced, lines.size() - 2, left.most));
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
