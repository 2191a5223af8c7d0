#include "formats/off.h"

#include <fmt/format.h>

#include "formats/polygon.h"
#include "formats/problems.h"
#include "formats/text.h"

namespace pliant {
namespace {

/// Lines with something on them, comments taken off.
class FilledLines {
 public:
  FilledLines(std::string_view text, const std::string& file) : lines_(text, file), file_(file) {}

  std::string_view next(const char* what) {
    while (lines_.next()) {
      const std::string_view line = trimmed(lines_.line().substr(0, lines_.line().find('#')));
      if (!line.empty()) return line;
    }
    throw InputError(file_, fmt::format("line {}", lines_.number()),
                     fmt::format("is where the file ends too early, before {}", what));
  }
  std::int64_t number() const { return lines_.number(); }
  [[noreturn]] void refuse(const std::string& what) const {
    throw InputError(file_, fmt::format("line {}", number()), what);
  }

 private:
  Lines lines_;
  std::string file_;
};

/// "OFF" with letters for what vertices carry besides.
bool is_keyword(std::string_view word) {
  if (!word.ends_with("OFF")) return false;
  word.remove_suffix(3);
  for (const std::string_view part : {"ST", "C", "N"})
    if (word.starts_with(part)) word.remove_prefix(part.size());
  return word.empty();
}

void read_point(std::string_view line, std::size_t row, const FilledLines& lines,
                Problems& problems, std::vector<Vec3>& points) {
  Vec3 p = Vec3::Zero();
  for (int k = 0; k < 3; ++k) {
    const std::string_view word = next_word(line);
    if (parse_number(word, p[k]) == NumberKind::finite) continue;
    problems.add_line(lines.number(),
                      word.empty() ? fmt::format("gives vertex {} only {} of 3 coordinates", row, k)
                                   : fmt::format("gives vertex {} the coordinate {}; it must be a "
                                                 "finite number",
                                                 row, in_quotes(word)));
    break;
  }
  points.push_back(p);
}

}  // namespace

TriangleMesh parse_off(std::string_view bytes, const std::string& name,
                       std::vector<std::string>* warnings, Faces* faces) {
  const std::string_view text = checked_text(bytes, name);
  FilledLines lines(text, name);
  std::string_view line = lines.next("the word OFF");
  std::string_view rest = line;
  if (is_keyword(next_word(rest))) {
    line = trimmed(rest);
    if (equal_ignoring_case(line, "BINARY")) lines.refuse("says BINARY; only OFF in text is read");
    if (line.empty()) line = lines.next("the counts");
  }
  std::int64_t count[2] = {0, 0};
  for (std::int64_t& c : count)
    if (!parse_integer(next_word(line), c) || c < 0)
      lines.refuse("should hold the numbers of vertices, faces and edges");
  // "0 0 0\n" is the shortest vertex, "3 0 1 2\n" about the shortest face.
  if (count[0] > std::int64_t(text.size()) / 5 || count[1] > std::int64_t(text.size()) / 2)
    lines.refuse(fmt::format("promises {} vertices and {} faces, but the file has only {} bytes",
                             count[0], count[1], text.size()));
  TriangleMesh mesh;
  Problems problems(name);
  mesh.points.reserve(std::size_t(count[0]));
  for (std::int64_t i = 0; i < count[0]; ++i)
    read_point(lines.next("the last vertex"), std::size_t(i), lines, problems, mesh.points);

  PolygonCutter cutter;
  Tally skipped;
  std::vector<int> corners;
  for (std::int64_t f = 0; f < count[1]; ++f) {
    line = lines.next("the last face");
    std::int64_t size = 0;
    if (!parse_integer(next_word(line), size) || size < 0 || size > std::int64_t(line.size()))
      lines.refuse(fmt::format("should start face {} with its number of corners", f));
    corners.clear();
    bool good = true;
    for (std::int64_t k = 0; k < size; ++k) {
      std::int64_t corner = 0;
      const std::string_view word = next_word(line);
      if (!parse_integer(word, corner) || corner < 0 || corner >= count[0]) {
        problems.add_line(
            lines.number(),
            fmt::format("makes face {} name vertex {}; the file has {}, numbered from "
                        "0",
                        f, in_quotes(word), count[0]));
        good = false;
        break;
      }
      corners.push_back(int(corner));
    }
    if (!good) continue;
    const std::size_t first = mesh.triangles.size();
    if (cutter.cut(corners, mesh.points, mesh.triangles) == 0) skipped.add(lines.number());
    else if (faces)
      faces->add(corners, {}, std::span<const Triangle>(mesh.triangles).subspan(first));
  }
  problems.throw_if_any();
  if (mesh.triangles.empty()) throw InputError(name, "", "has no surface: it contains no faces");
  if (skipped.count > 0)
    warn(warnings, name,
         fmt::format(
             "{} faces with fewer than three different corners were skipped, the first on line {}",
             skipped.count, skipped.first));
  return mesh;
}

std::vector<Vec3> parse_xyz(std::string_view bytes, const std::string& name) {
  const std::string_view text = checked_text(bytes, name);
  Lines lines(text, name);
  Problems problems(name);
  std::vector<Vec3> points;
  while (lines.next()) {
    std::string_view line = trimmed(lines.line().substr(0, lines.line().find('#')));
    if (line.empty()) continue;
    std::string_view words = line;
    std::int64_t count = 0;
    if (points.empty() && parse_integer(line, count)) continue;  // how many follow
    Vec3 p = Vec3::Zero();
    bool good = true;
    for (int k = 0; k < 3 && good; ++k) {
      const std::string_view word = next_word(words);
      good = parse_number(word, p[k]) == NumberKind::finite;
      if (!good)
        problems.add_line(lines.number(), fmt::format("has {} where a finite coordinate should be",
                                                      in_quotes(word)));
    }
    points.push_back(p);
  }
  problems.throw_if_any();
  if (points.empty()) throw InputError(name, "", "has no points");
  return points;
}

}  // namespace pliant
