#include "formats/tetgen.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "core/files.h"
#include "formats/problems.h"
#include "formats/text.h"

namespace pliant {
namespace {

// The rows of one file: a header of whole numbers, then `count` numbered rows. Comments and empty
// lines are passed over.
class Table {
 public:
  Table(std::string_view bytes, const std::string& file, const char* things)
      : file_(file), things_(things), text_(checked_text(bytes, file)), lines_(text_, file_) {}

  /// Reads the header; its words beyond the first are left in `rest`.
  std::int64_t read_count(std::string_view& rest) {
    if (!next(rest)) throw InputError(file_, "", fmt::format("has no header and no {}", things_));
    const std::string_view word = next_word(rest);
    std::int64_t count = 0;
    if (!parse_integer(word, count) || count < 0)
      refuse(fmt::format("starts with {}; it must be the number of {}", in_quotes(word), things_));
    // A row is at least three one-digit words (points in a plane). This comes before any memory is
    // taken.
    const std::int64_t room = std::int64_t(text_.size() - lines_.position());
    if (count > room / 6 + 1)
      refuse(fmt::format("promises {} {}, but only {} bytes follow", count, things_, room));
    count_ = count;
    return count;
  }

  /// The next row behind its number, which must be first + row.
  void read_row(std::int64_t row, std::string_view& rest) {
    if (!next(rest))
      throw InputError(file_, fmt::format("line {}", lines_.number()),
                       fmt::format("is the last, but only {} of the {} promised {} were found", row,
                                   count_, things_));
    const std::string_view word = next_word(rest);
    std::int64_t index = 0;
    if (!parse_integer(word, index))
      refuse(fmt::format("starts with {}, not with a number", in_quotes(word)));
    if (row == 0) {
      if (index != 0 && index != 1)
        refuse(fmt::format("starts at {}; numbering starts at 0 or 1", index));
      first_ = index;
    }
    if (index != first_ + row)
      refuse(fmt::format("has number {} where {} comes next", index, first_ + row));
  }

  void check_end() {
    std::string_view rest;
    if (next(rest))
      refuse(fmt::format("comes after the {} {} promised by the header", count_, things_));
  }

  [[noreturn]] void refuse(const std::string& what) const {
    throw InputError(file_, fmt::format("line {}", line()), what);
  }

  std::int64_t line() const { return lines_.number(); }
  std::int64_t first() const { return first_; }

 private:
  bool next(std::string_view& rest) {
    while (lines_.next()) {
      rest = lines_.line();
      rest = trimmed(rest.substr(0, rest.find('#')));
      if (!rest.empty()) return true;
    }
    return false;
  }

  std::string file_;
  const char* things_;
  std::string_view text_;
  Lines lines_;
  std::int64_t count_ = 0;
  std::int64_t first_ = 0;
};

std::int64_t header_number(std::string_view& rest, std::int64_t otherwise) {
  std::int64_t value = otherwise;
  parse_integer(next_word(rest), value);
  return value;
}

// Where tets are numbered from; unknown for a file without points.
std::int64_t read_points(std::string_view bytes, const std::string& file,
                         std::vector<Vec3>& points) {
  Table table(bytes, file, "points");
  Problems problems(file);
  std::string_view rest;
  const std::int64_t count = table.read_count(rest);
  const std::int64_t dimension = header_number(rest, 3);
  if (dimension != 3) table.refuse(fmt::format("says dimension {}; tets need 3", dimension));
  points.reserve(std::size_t(count));
  for (std::int64_t i = 0; i < count; ++i) {
    table.read_row(i, rest);
    Vec3 p = Vec3::Zero();
    for (int k = 0; k < 3; ++k) {
      const std::string_view word = next_word(rest);
      if (word.empty())
        table.refuse(fmt::format("gives point {} only {} of 3 coordinates", table.first() + i, k));
      if (parse_number(word, p[k]) == NumberKind::finite) continue;
      problems.add_line(table.line(),
                        fmt::format("gives point {} the coordinate {}; it must be a finite number",
                                    table.first() + i, in_quotes(word)));
      break;
    }
    points.push_back(p);
  }
  table.check_end();
  problems.throw_if_any();
  return table.first();
}

// Six times the volume, as a share of the cube over the longest edge.
double fullness(const std::vector<Vec3>& points, const Tet& t) {
  const Vec3 a = points[t[1]] - points[t[0]], b = points[t[2]] - points[t[0]],
             c = points[t[3]] - points[t[0]];
  const double longest =
      std::max({a.norm(), b.norm(), c.norm(), (b - a).norm(), (c - a).norm(), (c - b).norm()});
  if (!(longest > 0)) return 0;
  return (a / longest).cross(b / longest).dot(c / longest);
}

constexpr double rounding = 1e-14;  // real slivers have 1e-6 and more

class TetReader {
 public:
  TetReader(const std::string& file, std::int64_t base, TetMesh& mesh)
      : file_(file), base_(base), mesh_(mesh), problems_(file) {}

  void read(std::string_view bytes, std::vector<std::string>* warnings) {
    Table table(bytes, file_, "tets");
    std::string_view rest;
    const std::int64_t count = table.read_count(rest);
    const std::int64_t nodes = header_number(rest, 4);
    if (nodes != 4 && nodes != 10)
      table.refuse(fmt::format("says {} nodes per tet; 4 and 10 can be read", nodes));
    mesh_.tets.reserve(std::size_t(count));
    for (std::int64_t i = 0; i < count; ++i) {
      table.read_row(i, rest);
      read_tet(table, table.first() + i, rest);
    }
    table.check_end();
    problems_.throw_if_any();
    if (mesh_.tets.empty()) throw InputError(file_, "", "has no tets");
    if (turned_.count > 0)
      warn(warnings, file_,
           fmt::format("{} tets were inside out and have been turned, the first on line {}",
                       turned_.count, turned_.first));
  }

 private:
  void read_tet(const Table& table, std::int64_t number, std::string_view rest) {
    const std::int64_t points = std::int64_t(mesh_.points.size());
    Tet tet{};
    for (int k = 0; k < 4; ++k) {
      const std::string_view word = next_word(rest);
      if (word.empty()) table.refuse(fmt::format("gives tet {} only {} of 4 points", number, k));
      std::int64_t index = 0;
      const bool good = parse_integer(word, index) && index >= base_ && index < base_ + points;
      if (!good) {
        problems_.add_line(table.line(),
                           fmt::format("gives tet {} the point {}; points are numbered {} to {}",
                                       number, in_quotes(word), base_, base_ + points - 1));
        return;
      }
      tet[k] = int(index - base_);
    }
    const double full = fullness(mesh_.points, tet);
    if (!(std::abs(full) > rounding)) {
      problems_.add_line(table.line(), fmt::format("gives tet {} no volume", number));
      return;
    }
    if (full < 0) {
      std::swap(tet[2], tet[3]);
      turned_.add(table.line());
    }
    mesh_.tets.push_back(tet);
  }

  std::string file_;
  std::int64_t base_;
  TetMesh& mesh_;
  Problems problems_;
  Tally turned_;
};

// foo.node beside foo.ele; foo.NODE beside foo.ELE.
std::filesystem::path partner(const std::filesystem::path& path, const char* lower,
                              const char* upper) {
  std::filesystem::path small = path, large = path;
  small.replace_extension(lower);
  large.replace_extension(upper);
  std::error_code ignored;
  if (std::filesystem::exists(small, ignored)) return small;
  if (std::filesystem::exists(large, ignored)) return large;
  throw InputError(path.string(), "",
                   fmt::format("has no partner: {} does not exist", small.string()),
                   "TetGen writes points to .node and tets to .ele; both are needed");
}

}  // namespace

TetMesh parse_tetgen(std::string_view node_text, const std::string& node_name,
                     std::string_view ele_text, const std::string& ele_name,
                     std::vector<std::string>* warnings) {
  TetMesh mesh;
  const std::int64_t base = read_points(node_text, node_name, mesh.points);
  TetReader(ele_name, base, mesh).read(ele_text, warnings);
  return mesh;
}

TetMesh read_tetgen(const std::filesystem::path& path, std::vector<std::string>* warnings) {
  const bool is_node = equal_ignoring_case(path.extension().string(), ".node");
  const std::string own =
      read_text_file(path);  // first: the named file's own trouble is reported first
  const std::filesystem::path other_path =
      is_node ? partner(path, ".ele", ".ELE") : partner(path, ".node", ".NODE");
  const std::string other = read_text_file(other_path);
  if (is_node) return parse_tetgen(own, path.string(), other, other_path.string(), warnings);
  return parse_tetgen(other, other_path.string(), own, path.string(), warnings);
}

}  // namespace pliant
