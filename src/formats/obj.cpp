#include "formats/obj.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

#include "core/files.h"
#include "formats/polygon.h"
#include "formats/problems.h"
#include "formats/text.h"

namespace pliant {
namespace {

// With every face in up to 16 groups, memory stays below 40 times the size of the file.
constexpr std::size_t most_group_names = 15;

// Two passes: some exporters write faces before the vertices they name.
class ObjReader {
 public:
  ObjReader(std::string_view bytes, const std::string& file, std::vector<std::string>* warnings)
      : file_(file), text_(checked_text(bytes, file)), warnings_(warnings), problems_(file) {}

  TriangleMesh read() {
    read_points();
    read_faces();
    problems_.throw_if_any();
    if (mesh_.triangles.empty())
      throw InputError(file_, "", "has no surface: it contains no faces",
                       mesh_.points.empty() ? "is it an OBJ file?" : "");
    fill_groups();
    report();
    return std::move(mesh_);
  }

 private:
  // From `first` up to the next run, triangles belong to these groups.
  struct Run {
    int first;
    std::vector<int> groups;
  };

  void read_points();
  void read_point(std::string_view rest, std::int64_t line);
  void read_faces();
  void read_face(std::string_view rest, std::int64_t line);
  bool read_corner(std::string_view word, std::int64_t line);
  void read_group_names(std::string_view rest, std::int64_t line);
  void start_run(int first);
  void fill_groups();
  void report();

  std::string file_;
  std::string_view text_;
  std::vector<std::string>* warnings_;
  Problems problems_;
  TriangleMesh mesh_;

  std::int64_t points_so_far_ = 0;  // second pass: what negative indices count back from
  std::vector<int> corners_;
  PolygonCutter cutter_;
  std::vector<std::string> group_names_;  // of the last `g`
  std::string object_name_;               // of the last `o`
  bool names_changed_ = false;
  std::map<std::string, int, std::less<>> group_ids_;
  std::vector<Run> runs_;
  Tally skipped_, unnamed_;
};

void ObjReader::read_points() {
  Lines lines(text_, file_, true);
  std::size_t most_triangles = 0;
  while (lines.next()) {
    std::string_view rest = lines.line();
    const std::string_view keyword = next_word(rest);
    if (keyword == "v") read_point(rest, lines.number());
    if (keyword == "f")
      while (!next_word(rest).empty()) ++most_triangles;
  }
  mesh_.triangles.reserve(most_triangles);
}

void ObjReader::read_point(std::string_view rest, std::int64_t line) {
  Vec3 point = Vec3::Zero();  // also when broken, so that the numbering of the others stays
  const std::size_t number = mesh_.points.size() + 1;
  for (int k = 0; k < 3; ++k) {
    const std::string_view word = next_word(rest);
    if (word.empty()) {
      problems_.add_line(line, fmt::format("gives vertex {} only {} of 3 coordinates", number, k));
      break;
    }
    const NumberKind kind = parse_number(word, point[k]);
    if (kind == NumberKind::finite) continue;
    problems_.add_line(
        line,
        fmt::format("gives vertex {} the coordinate {}; it must be a {}", number, in_quotes(word),
                    kind == NumberKind::not_finite ? "finite number" : "number"));
    break;
  }
  mesh_.points.push_back(point);
}

void ObjReader::read_faces() {
  Lines lines(text_, file_, true);
  while (lines.next()) {
    std::string_view rest = lines.line();
    const std::string_view keyword = next_word(rest);
    if (keyword == "v") {
      ++points_so_far_;
    } else if (keyword == "f") {
      read_face(rest, lines.number());
    } else if (keyword == "g") {
      read_group_names(rest, lines.number());
    } else if (keyword == "o") {
      object_name_ = trimmed(rest.substr(0, rest.find('#')));
      names_changed_ = true;
    }
  }
}

bool ObjReader::read_corner(std::string_view word, std::int64_t line) {
  const std::string_view index = word.substr(0, word.find('/'));
  const std::int64_t count = std::int64_t(mesh_.points.size());
  std::int64_t value = 0;
  if (index.empty()) {
    problems_.add_line(line,
                       fmt::format("has the corner {}, which names no vertex", in_quotes(word)));
  } else if (!parse_integer(index, value)) {
    problems_.add_line(line, fmt::format("has the corner {}; {} is not a vertex number",
                                         in_quotes(word), in_quotes(index)));
  } else if (value == 0) {
    problems_.add_line(line, "names vertex 0; vertices are numbered from 1");
  } else if (value > count) {
    problems_.add_line(line, fmt::format("names vertex {}; the file has {}", value, count));
  } else if (value < -points_so_far_) {
    problems_.add_line(
        line, fmt::format("names vertex {}; only {} stand before it", value, points_so_far_));
  } else {
    corners_.push_back(int(value > 0 ? value - 1 : points_so_far_ + value));
    return true;
  }
  return false;
}

void ObjReader::read_face(std::string_view rest, std::int64_t line) {
  corners_.clear();
  bool good = true;
  for (std::string_view word = next_word(rest); !word.empty(); word = next_word(rest)) {
    if (word.front() == '#') break;
    good = read_corner(word, line) && good;
  }
  if (!good) return;
  const int first = int(mesh_.triangles.size());
  if (cutter_.cut(corners_, mesh_.points, mesh_.triangles) == 0) {
    skipped_.add(line);
    return;
  }
  if (names_changed_) start_run(first);
}

void ObjReader::read_group_names(std::string_view rest, std::int64_t line) {
  group_names_.clear();
  names_changed_ = true;
  for (std::string_view word = next_word(rest); !word.empty(); word = next_word(rest)) {
    if (word.front() == '#') break;
    if (group_names_.size() < most_group_names) group_names_.emplace_back(word);
    else unnamed_.add(line);
  }
}

void ObjReader::start_run(int first) {
  Run run{first, {}};
  const auto join = [&](const std::string& name) {
    const auto [at, is_new] = group_ids_.try_emplace(name, int(mesh_.groups.size()));
    if (is_new) mesh_.groups.push_back({name, {}});
    run.groups.push_back(at->second);
  };
  for (const std::string& name : group_names_) join(name);
  if (!object_name_.empty()) join(object_name_);
  std::sort(run.groups.begin(), run.groups.end());
  run.groups.erase(std::unique(run.groups.begin(), run.groups.end()), run.groups.end());
  runs_.push_back(std::move(run));
  names_changed_ = false;
}

void ObjReader::fill_groups() {
  const auto end_of = [&](std::size_t r) {
    return r + 1 < runs_.size() ? runs_[r + 1].first : int(mesh_.triangles.size());
  };
  std::vector<std::size_t> sizes(mesh_.groups.size(), 0);
  for (std::size_t r = 0; r < runs_.size(); ++r)
    for (const int group : runs_[r].groups) sizes[group] += std::size_t(end_of(r) - runs_[r].first);
  for (std::size_t g = 0; g < sizes.size(); ++g) mesh_.groups[g].triangles.reserve(sizes[g]);
  for (std::size_t r = 0; r < runs_.size(); ++r)
    for (const int group : runs_[r].groups)
      for (int t = runs_[r].first; t < end_of(r); ++t) mesh_.groups[group].triangles.push_back(t);
}

void ObjReader::report() {
  if (skipped_.count > 0)
    warn(warnings_, file_,
         fmt::format(
             "{} faces with fewer than three different corners were skipped, the first on line {}",
             skipped_.count, skipped_.first));
  if (unnamed_.count > 0)
    warn(warnings_, file_,
         fmt::format(
             "{} group names were left out, the first on line {}: a face may be in {} groups",
             unnamed_.count, unnamed_.first, most_group_names));
  if (cutter_.given_up() > 0)
    warn(warnings_, file_,
         fmt::format("{} very large faces were cut coarsely", cutter_.given_up()));
}

std::string without_spaces(std::string name) {
  for (char& c : name)
    if (c == ' ' || (c >= '\t' && c <= '\r') || c == '\\' || c == '#') c = '_';
  return name.empty() ? "_" : name;
}

}  // namespace

TriangleMesh parse_obj(std::string_view text, const std::string& name,
                       std::vector<std::string>* warnings) {
  return ObjReader(text, name, warnings).read();
}

TriangleMesh read_obj(const std::filesystem::path& path, std::vector<std::string>* warnings) {
  return parse_obj(read_text_file(path), path.string(), warnings);
}

void write_obj(const std::filesystem::path& path, const TriangleMesh& mesh) {
  std::string text;
  const auto out = std::back_inserter(text);
  for (const Vec3& p : mesh.points) fmt::format_to(out, "v {} {} {}\n", p.x(), p.y(), p.z());

  // Sorted by triangle, so that one walk finds where the membership changes.
  std::vector<std::pair<int, int>> member;  // triangle, group
  for (std::size_t g = 0; g < mesh.groups.size(); ++g)
    for (const int t : mesh.groups[g].triangles) member.emplace_back(t, int(g));
  std::sort(member.begin(), member.end());

  std::vector<int> current, groups;
  std::size_t m = 0;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    groups.clear();
    for (; m < member.size() && member[m].first == int(t); ++m) groups.push_back(member[m].second);
    if (groups != current) {
      text += 'g';
      for (const int g : groups) text += ' ' + without_spaces(mesh.groups[g].name);
      text += '\n';
      current = groups;
    }
    const Triangle& c = mesh.triangles[t];
    fmt::format_to(out, "f {} {} {}\n", c[0] + 1, c[1] + 1, c[2] + 1);
  }
  write_file(path, text);
}

}  // namespace pliant
