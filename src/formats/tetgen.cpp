#include "formats/tetgen.h"

#include <fmt/format.h>

#include "core/files.h"
#include "formats/cells.h"
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

TetMesh read_tets(std::string_view bytes, const std::string& file, std::int64_t base,
                  std::vector<Vec3> points, std::vector<std::string>* warnings) {
  Table table(bytes, file, "tets");
  CellCollector cells(file, base, warnings);
  cells.take_points(std::move(points));
  std::string_view rest;
  const std::int64_t count = table.read_count(rest);
  const std::int64_t nodes = header_number(rest, 4);
  if (nodes != 4 && nodes != 10)
    table.refuse(fmt::format("says {} nodes per tet; 4 and 10 can be read", nodes));
  for (std::int64_t i = 0; i < count; ++i) {
    table.read_row(i, rest);
    const std::int64_t number = table.first() + i;
    std::array<std::int64_t, 4> tet{};
    for (int k = 0; k < 4; ++k) {
      const std::string_view word = next_word(rest);
      if (word.empty()) table.refuse(fmt::format("gives tet {} only {} of 4 points", number, k));
      if (!parse_integer(word, tet[k]))
        table.refuse(fmt::format("gives tet {} the point {}; it must be a whole number", number,
                                 in_quotes(word)));
    }
    cells.add_tet(tet, number, Place{table.line()});
  }
  table.check_end();
  if (count == 0) throw InputError(file, "", "has no tets");
  return std::get<TetMesh>(cells.finish());
}

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
  std::vector<Vec3> points;
  const std::int64_t base = read_points(node_text, node_name, points);
  return read_tets(ele_text, ele_name, base, std::move(points), warnings);
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
