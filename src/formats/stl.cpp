#include "formats/stl.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

#include "core/files.h"
#include "formats/bytes.h"
#include "formats/polygon.h"
#include "formats/problems.h"
#include "formats/text.h"

namespace pliant {
namespace {

constexpr std::size_t header_bytes = 84;
constexpr std::size_t triangle_bytes = 50;  // normal, three corners, two bytes of attributes

std::uint32_t promised_triangles(std::string_view bytes) {
  return get<std::uint32_t>(bytes.substr(80), std::endian::little);
}

// Three corners per triangle, as they stand in the file.
std::vector<Vec3> read_binary(std::string_view bytes, const std::string& file) {
  const std::size_t count = promised_triangles(bytes);
  Problems problems(file);
  std::vector<Vec3> corners;
  corners.reserve(3 * count);
  for (std::size_t i = 0; i < 3 * count; ++i) {
    const std::size_t at = header_bytes + (i / 3) * triangle_bytes + 12 + (i % 3) * 12;
    Vec3 p;
    for (int k = 0; k < 3; ++k) p[k] = get<float>(bytes.substr(at + 4 * k), std::endian::little);
    if (!p.allFinite())
      problems.add(std::int64_t(at), fmt::format("byte {}", at),
                   fmt::format("gives triangle {} a corner that is not finite", i / 3 + 1));
    corners.push_back(p);
  }
  problems.throw_if_any();
  return corners;
}

class TextReader {
 public:
  TextReader(std::string_view bytes, const std::string& file, std::vector<std::string>* warnings)
      : file_(file), text_(checked_text(bytes, file)), warnings_(warnings), problems_(file) {}

  // Words that are neither corners nor the end of a loop carry nothing we need.
  std::vector<Vec3> read() {
    Lines lines(text_, file_);
    while (lines.next()) {
      std::string_view rest = lines.line();
      const std::string_view keyword = next_word(rest);
      if (equal_ignoring_case(keyword, "vertex")) read_corner(rest, lines.number());
      if (equal_ignoring_case(keyword, "endloop")) end_loop(lines.number());
    }
    problems_.throw_if_any();
    if (!loop_.empty())
      warn(warnings_, file_,
           fmt::format("ends inside a facet; {} triangles were read", corners_.size() / 3));
    return std::move(corners_);
  }

 private:
  void read_corner(std::string_view rest, std::int64_t line) {
    Vec3 p = Vec3::Zero();
    for (int k = 0; k < 3; ++k) {
      const std::string_view word = next_word(rest);
      if (parse_number(word, p[k]) == NumberKind::finite) continue;
      problems_.add_line(
          line, word.empty() ? fmt::format("has only {} of 3 coordinates", k)
                             : fmt::format("has the coordinate {}; it must be a finite number",
                                           in_quotes(word)));
      break;
    }
    loop_.push_back(p);
  }

  // Three corners by the book; more are cut, fewer are refused.
  void end_loop(std::int64_t line) {
    if (loop_.size() < 3)
      problems_.add_line(line,
                         fmt::format("ends a facet with {} corners; it needs 3", loop_.size()));
    numbers_.resize(loop_.size());
    std::iota(numbers_.begin(), numbers_.end(), 0);
    triangles_.clear();
    cutter_.cut(numbers_, loop_, triangles_);
    for (const Triangle& t : triangles_)
      for (const int corner : t) corners_.push_back(loop_[corner]);
    loop_.clear();
  }

  std::string file_;
  std::string_view text_;
  std::vector<std::string>* warnings_;
  Problems problems_;
  std::vector<Vec3> corners_;
  std::vector<Vec3> loop_;
  std::vector<int> numbers_;
  std::vector<Triangle> triangles_;
  PolygonCutter cutter_;
};

// Sorting instead of hashing: no input makes it slow. -0 and 0 are equal and become the one met
// first.
TriangleMesh weld(const std::vector<Vec3>& corners, Tally& skipped) {
  std::vector<int> order(corners.size());
  std::iota(order.begin(), order.end(), 0);
  const auto less = [&](int a, int b) {
    const Vec3 &p = corners[a], &q = corners[b];
    if (p.x() != q.x()) return p.x() < q.x();
    if (p.y() != q.y()) return p.y() < q.y();
    if (p.z() != q.z()) return p.z() < q.z();
    return a < b;
  };
  std::sort(order.begin(), order.end(), less);
  std::vector<int> first_use(corners.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool same = i > 0 && corners[order[i]] == corners[order[i - 1]];
    first_use[order[i]] = same ? first_use[order[i - 1]] : order[i];
  }

  TriangleMesh mesh;
  std::vector<int>& number = order;  // done with; becomes the point of each first use
  for (std::size_t i = 0; i < corners.size(); ++i) {
    if (first_use[i] != int(i)) continue;
    number[i] = int(mesh.points.size());
    mesh.points.push_back(corners[i]);
  }
  for (std::size_t i = 0; i < corners.size(); i += 3) {
    const Triangle t{number[first_use[i]], number[first_use[i + 1]], number[first_use[i + 2]]};
    if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) skipped.add(std::int64_t(i / 3 + 1));
    else mesh.triangles.push_back(t);
  }
  return mesh;
}

std::vector<Vec3> read_corners(std::string_view bytes, const std::string& file,
                               std::vector<std::string>* warnings) {
  if (is_binary_stl(bytes)) return read_binary(bytes, file);
  std::string_view rest = bytes.substr(0, 1024);
  const bool is_text = bytes.find('\0') >= std::min<std::size_t>(bytes.size(), 1024);
  const std::string_view first = next_word(rest);
  const bool begins_as_text =
      equal_ignoring_case(first, "facet") || equal_ignoring_case(first, "solid");
  if (is_text || bytes.size() < header_bytes || equal_ignoring_case(first, "facet")) {
    std::vector<Vec3> corners = TextReader(bytes, file, warnings).read();
    if (!corners.empty() || begins_as_text || bytes.size() < header_bytes) return corners;
  }

  const std::size_t promised = promised_triangles(bytes);
  const std::size_t needed = header_bytes + promised * triangle_bytes;
  if (needed > bytes.size())
    throw InputError(file, "",
                     fmt::format("promises {} triangles in {} bytes, but has {} bytes", promised,
                                 needed, bytes.size()));
  warn(warnings, file,
       fmt::format("{} bytes after the last triangle were left out", bytes.size() - needed));
  return read_binary(bytes, file);
}

}  // namespace

bool is_binary_stl(std::string_view bytes) {
  return bytes.size() >= header_bytes &&
         bytes.size() == header_bytes + std::size_t(promised_triangles(bytes)) * triangle_bytes;
}

TriangleMesh parse_stl(std::string_view bytes, const std::string& name,
                       std::vector<std::string>* warnings) {
  if (bytes.empty()) throw InputError(name, "", "is an empty file");
  // Indices are ints: 3 corners per triangle must fit, which files below 36 GB do.
  const std::vector<Vec3> corners = read_corners(bytes, name, warnings);
  Tally skipped;
  TriangleMesh mesh = weld(corners, skipped);
  if (mesh.triangles.empty())
    throw InputError(name, "", "has no surface: it contains no triangles");
  if (skipped.count > 0)
    warn(warnings, name,
         fmt::format("{} triangles with equal corners were skipped, the first is number {}",
                     skipped.count, skipped.first));
  return mesh;
}

TriangleMesh read_stl(const std::filesystem::path& path, std::vector<std::string>* warnings) {
  return parse_stl(read_text_file(path), path.string(), warnings);
}

void write_stl(const std::filesystem::path& path, std::span<const Eigen::Vector3f> points,
               std::span<const Triangle> triangles) {
  std::string bytes = "pliant";
  bytes.resize(header_bytes - 4, ' ');
  bytes.reserve(header_bytes + triangles.size() * triangle_bytes);
  put(bytes, std::uint32_t(triangles.size()));
  for (const Triangle& t : triangles) {
    const Vec3 a = points[t[0]].cast<double>();
    const Vec3 area = (points[t[1]].cast<double>() - a).cross(points[t[2]].cast<double>() - a);
    const double length = area.norm();
    const Vec3 normal = length > 0 ? Vec3(area / length) : Vec3(Vec3::Zero());
    for (int k = 0; k < 3; ++k) put(bytes, float(normal[k]));
    for (const int corner : t)
      for (int k = 0; k < 3; ++k) put(bytes, points[corner][k]);
    put(bytes, std::uint16_t(0));
  }
  write_file(path, bytes);
}

}  // namespace pliant
