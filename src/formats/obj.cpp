#include "formats/obj.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <set>

#include "core/files.h"
#include "formats/beside.h"
#include "formats/mtl.h"
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
  ObjReader(std::string_view bytes, const std::string& file, std::vector<std::string>* warnings,
            Faces* faces)
      : file_(file),
        text_(checked_text(bytes, file)),
        warnings_(warnings),
        faces_(faces),
        problems_(file) {
    if (faces) images_.emplace(file, *faces, warnings);
  }

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
  // From `first` up to the next run, triangles belong to these groups, and faces from `face` on.
  struct Run {
    int first, face;
    std::vector<int> groups;
  };

  void read_points();
  void read_point(std::string_view rest, std::int64_t line);
  void read_texture(std::string_view rest);
  void read_library(std::string_view rest);
  void use_paint(std::string_view rest);
  void read_faces();
  void read_face(std::string_view rest, std::int64_t line);
  bool read_corner(std::string_view word, std::int64_t line);
  int texture_of(std::string_view word) const;
  void read_group_names(std::string_view rest, std::int64_t line);
  void start_run(int first);
  void fill_groups();
  void report();

  std::string file_;
  std::string_view text_;
  std::vector<std::string>* warnings_;
  Faces* faces_;
  Problems problems_;
  TriangleMesh mesh_;

  // Second pass: what negative indices count back from.
  std::int64_t points_so_far_ = 0, textures_so_far_ = 0;
  std::vector<int> corners_, textures_;
  bool textured_ = false;  // the face that is read
  PolygonCutter cutter_;
  std::vector<std::string> group_names_;  // of the last `g`
  std::string object_name_;               // of the last `o`
  bool names_changed_ = false;
  std::map<std::string, int, std::less<>> group_ids_;
  std::vector<Run> runs_;
  Tally skipped_, unnamed_;

  std::optional<ModelImages> images_;
  std::map<std::string, int, std::less<>> paints_;  // by name
  int paint_ = -1;                                  // of the last `usemtl`
  std::set<std::string> libraries_;
  std::string missing_library_;
  bool lacks_paint_ = false;  // a face should have one that is not there
};

void ObjReader::read_points() {
  Lines lines(text_, file_, true);
  std::size_t most_triangles = 0;
  while (lines.next()) {
    std::string_view rest = lines.line();
    const std::string_view keyword = next_word(rest);
    if (keyword == "v") read_point(rest, lines.number());
    if (keyword == "vt" && faces_) read_texture(rest);
    if (keyword == "mtllib" && faces_) read_library(rest);
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

// Textures are no part of the shape: what is wrong with them is passed over.
void ObjReader::read_texture(std::string_view rest) {
  double uv[2] = {0, 0};
  for (double& x : uv) {
    const std::string_view word = next_word(rest);
    if (word.empty() || parse_number(word, x) != NumberKind::finite || std::abs(x) > 1e6) x = 0;
  }
  faces_->uv.emplace_back(float(uv[0]), float(uv[1]));
}

// Materials are no part of the shape either. Names with spaces are one name.
void ObjReader::read_library(std::string_view rest) {
  constexpr std::uintmax_t most_bytes = 16 << 20;
  constexpr std::size_t most_libraries = 16;
  const std::string name(trimmed(rest));
  if (libraries_.size() >= most_libraries || !libraries_.insert(name).second) return;
  const std::filesystem::path folder = std::filesystem::path(file_).parent_path();
  const std::optional<std::filesystem::path> path = file_beside(folder, name);
  std::error_code ignored;
  if (!path || !std::filesystem::is_regular_file(*path, ignored) ||
      std::filesystem::file_size(*path, ignored) > most_bytes) {
    missing_library_ = name;
    return;
  }
  paints_.merge(parse_mtl(read_text_file(*path), *faces_, *images_));
}

void ObjReader::use_paint(std::string_view rest) {
  const auto found = paints_.find(trimmed(rest));
  paint_ = found == paints_.end() ? -1 : found->second;
  lacks_paint_ = lacks_paint_ || paint_ < 0;
}

void ObjReader::read_faces() {
  Lines lines(text_, file_, true);
  while (lines.next()) {
    std::string_view rest = lines.line();
    const std::string_view keyword = next_word(rest);
    if (keyword == "v") {
      ++points_so_far_;
    } else if (keyword == "vt") {
      ++textures_so_far_;
    } else if (keyword == "f") {
      read_face(rest, lines.number());
    } else if (keyword == "usemtl" && faces_) {
      use_paint(rest);
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
    textures_.push_back(texture_of(word));
    textured_ = textured_ || textures_.back() >= 0;
    return true;
  }
  return false;
}

int ObjReader::texture_of(std::string_view word) const {
  const std::size_t slash = word.find('/');
  if (!faces_ || slash == std::string_view::npos) return -1;
  const std::string_view index = word.substr(slash + 1, word.find('/', slash + 1) - slash - 1);
  std::int64_t value = 0;
  if (!parse_integer(index, value)) return -1;
  if (value < 0) value += textures_so_far_ + 1;
  return value >= 1 && value <= std::int64_t(faces_->uv.size()) ? int(value - 1) : -1;
}

void ObjReader::read_face(std::string_view rest, std::int64_t line) {
  corners_.clear();
  textures_.clear();
  textured_ = false;
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
  if (!faces_) return;
  const auto triangles = std::span<const Triangle>(mesh_.triangles).subspan(std::size_t(first));
  faces_->add(corners_, textured_ ? std::span<const int>(textures_) : std::span<const int>(),
              triangles);
  faces_->set_paint(paint_);
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
  Run run{first, faces_ ? faces_->size() : 0, {}};
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
  if (!faces_) return;
  for (const TriangleMesh::Group& group : mesh_.groups) faces_->groups.push_back({group.name, {}});
  for (std::size_t r = 0; r < runs_.size(); ++r) {
    const int end = r + 1 < runs_.size() ? runs_[r + 1].face : faces_->size();
    for (const int group : runs_[r].groups)
      for (int f = runs_[r].face; f < end; ++f) faces_->groups[group].triangles.push_back(f);
  }
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
  if (lacks_paint_ && !missing_library_.empty())
    warn(warnings_, file_,
         fmt::format("its materials are in {}, which is not in its folder: its own colors are not "
                     "shown",
                     in_quotes(missing_library_)));
  if (cutter_.given_up() > 0)
    warn(warnings_, file_,
         fmt::format("{} very large faces were cut coarsely", cutter_.given_up()));
}

std::string without_spaces(std::string name) {
  for (char& c : name)
    if (c == ' ' || (c >= '\t' && c <= '\r') || c == '\\' || c == '#') c = '_';
  return name.empty() ? "_" : name;
}

template <class Scalar>
void write(const std::filesystem::path& path, std::span<const Eigen::Matrix<Scalar, 3, 1>> points,
           const Faces& faces) {
  std::string text;
  const auto out = std::back_inserter(text);
  for (const auto& p : points) fmt::format_to(out, "v {} {} {}\n", p.x(), p.y(), p.z());
  const bool textured = faces.has_textures();
  if (textured)
    for (const Eigen::Vector2f& uv : faces.uv) fmt::format_to(out, "vt {} {}\n", uv.x(), uv.y());

  // Sorted by face, so that one walk finds where the membership changes.
  std::vector<std::pair<int, int>> member;  // face, group
  for (std::size_t g = 0; g < faces.groups.size(); ++g)
    for (const int f : faces.groups[g].triangles) member.emplace_back(f, int(g));
  std::sort(member.begin(), member.end());

  std::vector<int> current, groups;
  std::size_t m = 0;
  for (int f = 0; f < faces.size(); ++f) {
    groups.clear();
    for (; m < member.size() && member[m].first == f; ++m) groups.push_back(member[m].second);
    if (groups != current) {
      text += 'g';
      for (const int g : groups) text += ' ' + without_spaces(faces.groups[g].name);
      text += '\n';
      current = groups;
    }
    text += 'f';
    for (int c = faces.start[f]; c < faces.start[f + 1]; ++c) {
      fmt::format_to(out, " {}", faces.vertex[c] + 1);
      if (textured && faces.texture[c] >= 0) fmt::format_to(out, "/{}", faces.texture[c] + 1);
    }
    text += '\n';
  }
  write_file(path, text);
}

}  // namespace

TriangleMesh parse_obj(std::string_view text, const std::string& name,
                       std::vector<std::string>* warnings, Faces* faces) {
  return ObjReader(text, name, warnings, faces).read();
}

TriangleMesh read_obj(const std::filesystem::path& path, std::vector<std::string>* warnings) {
  return parse_obj(read_text_file(path), path.string(), warnings);
}

void write_obj(const std::filesystem::path& path, const TriangleMesh& mesh) {
  write<double>(path, mesh.points, faces_of(mesh));
}

void write_obj(const std::filesystem::path& path, std::span<const Eigen::Vector3f> points,
               const Faces& faces) {
  write<float>(path, points, faces);
}

void write_obj(const std::filesystem::path& path, std::span<const Vec3> points,
               const Faces& faces) {
  write<double>(path, points, faces);
}

}  // namespace pliant
