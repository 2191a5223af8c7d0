#include "formats/vtk.h"

#include <fmt/format.h>
#include <optional>

#include "formats/scanner.h"
#include "formats/text.h"
#include "formats/vtk_cells.h"

namespace pliant {
namespace {

std::optional<NumberType> type_named(std::string_view name) {
  struct Name {
    const char* name;
    NumberType type;
  };
  // vtkIdType is written as int.
  constexpr Name names[] = {{"char", NumberType::int8},
                            {"signed_char", NumberType::int8},
                            {"unsigned_char", NumberType::uint8},
                            {"short", NumberType::int16},
                            {"unsigned_short", NumberType::uint16},
                            {"int", NumberType::int32},
                            {"unsigned_int", NumberType::uint32},
                            {"long", NumberType::int64},
                            {"unsigned_long", NumberType::uint64},
                            {"vtkIdType", NumberType::int32},
                            {"vtktypeint32", NumberType::int32},
                            {"vtktypeuint32", NumberType::uint32},
                            {"vtktypeint64", NumberType::int64},
                            {"vtktypeuint64", NumberType::uint64},
                            {"float", NumberType::float32},
                            {"double", NumberType::float64}};
  for (const Name& known : names)
    if (equal_ignoring_case(name, known.name)) return known.type;
  return std::nullopt;
}

class VtkReader {
 public:
  VtkReader(std::string_view bytes, const std::string& file, std::vector<std::string>* warnings)
      : file_(file), scan_(bytes, file), cells_(file, 0, warnings) {}

  Solid read() {
    read_header();
    find_sections();
    if (!points_.start) throw InputError(file_, "", "has no section POINTS");
    if (!connectivity_.start) throw InputError(file_, "", "has no section CELLS");
    if (!types_.start) throw InputError(file_, "", "has no section CELL_TYPES");
    vtk::read_points(*points_.start, points_.type, points_.count, cells_);
    const std::vector<std::uint8_t> types =
        vtk::read_types(*types_.start, types_.type, types_.count);
    if (types_.count != count_)
      types_.start->refuse(fmt::format("ends {} types of {} cells", types_.count, count_));
    if (offsets_.start) read_cells_of_version_5(types);
    else read_cells(types);
    return cells_.finish();
  }

 private:
  // Numbers that are read once everything they refer to is known.
  struct Numbers {
    std::optional<Scanner> start;
    NumberType type = NumberType::int32;
    std::int64_t count = 0;
  };

  void read_header() {
    std::string_view line;
    if (!scan_.line(line) || !line.starts_with("# vtk DataFile"))
      scan_.refuse("is not \"# vtk DataFile Version ...\", the first line of a legacy VTK file");
    scan_.line(line);  // the title, any text
    if (!scan_.line(line)) scan_.refuse("is where the file ends, before ASCII or BINARY");
    line = trimmed(line);
    if (equal_ignoring_case(line, "BINARY")) scan_.expect_bytes(std::endian::big);
    else if (!equal_ignoring_case(line, "ASCII"))
      scan_.refuse(fmt::format("has {} where ASCII or BINARY must be", in_quotes(line)));
  }

  void find_sections() {
    std::string_view rest;
    while (scan_.filled_line(rest)) {
      const std::string_view word = next_word(rest);
      const auto is = [&](const char* name) { return equal_ignoring_case(word, name); };
      if (is("DATASET")) check_dataset(next_word(rest));
      else if (is("POINTS")) mark_points(rest);
      else if (is("CELLS")) mark_cells(rest);
      else if (is("CELL_TYPES")) mark(types_, NumberType::int32, number(rest), "a type");
      else if (is("FIELD")) skip_field(rest);
      else if (is("METADATA")) skip_metadata();
      else if (is("POINT_DATA") || is("CELL_DATA")) return;
      else scan_.refuse(fmt::format("starts the unknown section {}", in_quotes(word)));
    }
  }

  void check_dataset(std::string_view kind) {
    if (!equal_ignoring_case(kind, "UNSTRUCTURED_GRID"))
      scan_.refuse(
          fmt::format("says DATASET {}; only UNSTRUCTURED_GRID can be read", in_quotes(kind)));
  }

  std::int64_t number(std::string_view& rest) {
    const std::string_view word = next_word(rest);
    std::int64_t value = 0;
    if (!parse_integer(word, value) || value < 0)
      scan_.refuse(fmt::format("has {} where a count must be", in_quotes(word)));
    return value;
  }

  NumberType type(std::string_view& rest) {
    const std::string_view word = next_word(rest);
    const std::optional<NumberType> found = type_named(word);
    if (!found) scan_.refuse(fmt::format("names the unknown type {}", in_quotes(word)));
    return *found;
  }

  void mark(Numbers& numbers, NumberType as, std::int64_t count, const char* what) {
    if (numbers.start) scan_.refuse("starts a section for the second time");
    numbers = {scan_, as, count};
    scan_.skip(std::uint64_t(count), as, what);
  }

  void mark_points(std::string_view& rest) {
    const std::int64_t count = number(rest);
    const NumberType as = type(rest);
    scan_.check_room(count, 6, 3 * size_of(as), "points");
    mark(points_, as, 3 * count, "a coordinate");
    points_.count = count;
  }

  void mark_cells(std::string_view& rest) {
    count_ = number(rest);
    const std::int64_t size = number(rest);
    Scanner ahead = scan_;
    std::string_view line;
    const bool version_5 =
        ahead.filled_line(line) && equal_ignoring_case(next_word(line), "OFFSETS");
    if (!version_5) return mark(connectivity_, NumberType::int32, size, "a corner");
    // Here the first count is that of the offsets, which start with 0.
    scan_ = ahead;
    mark(offsets_, whole_type(line), count_, "an offset");
    if (!scan_.filled_line(line) || !equal_ignoring_case(next_word(line), "CONNECTIVITY"))
      scan_.refuse("is not CONNECTIVITY, which must follow the OFFSETS");
    mark(connectivity_, whole_type(line), size, "a corner");
    if (count_ > 0) --count_;
  }

  NumberType whole_type(std::string_view& rest) {
    const NumberType as = type(rest);
    if (!is_whole(as)) scan_.refuse("names a type that is not whole");
    return as;
  }

  void skip_field(std::string_view& rest) {
    next_word(rest);  // its name
    const std::int64_t arrays = number(rest);
    std::string_view line;
    for (std::int64_t i = 0; i < arrays; ++i) {
      if (!scan_.filled_line(line)) scan_.refuse("is where the file ends, in a FIELD");
      if (equal_ignoring_case(line, "METADATA")) {
        skip_metadata();
        --i;
        continue;
      }
      next_word(line);  // its name
      const std::int64_t components = number(line), tuples = number(line);
      const NumberType as = type(line);
      scan_.check_room(components, 2, 1, "numbers");
      scan_.check_room(tuples, 2, 1, "numbers");
      scan_.skip(std::uint64_t(components) * std::uint64_t(tuples), as, "a number of a FIELD");
    }
  }

  // Ends with an empty line.
  void skip_metadata() {
    std::string_view line;
    while (scan_.line(line) && !trimmed(line).empty()) {
    }
  }

  // Each cell is the number of its corners and the corners.
  void read_cells(const std::vector<std::uint8_t>& types) {
    Scanner& scan = *connectivity_.start;
    std::int64_t left = connectivity_.count;
    for (std::size_t i = 0; i < types.size(); ++i) {
      const std::int64_t corners =
          left > 0 ? scan.whole(NumberType::int32, "the number of corners") : 0;
      if (left <= 0 || corners < 0 || corners > left - 1)
        scan.refuse(fmt::format("is where cell {} of {} passes the {} numbers promised for all", i,
                                types.size(), connectivity_.count));
      left -= corners + 1;
      vtk::read_cell(scan, NumberType::int32, types[i], corners, std::int64_t(i), cells_);
    }
  }

  void read_cells_of_version_5(const std::vector<std::uint8_t>& types) {
    std::vector<std::int64_t> ends = vtk::read_ends(*offsets_.start, offsets_.type, offsets_.count);
    if (ends.empty()) return;
    if (ends.front() != 0 || ends.back() > connectivity_.count)
      offsets_.start->refuse(
          fmt::format("ends offsets from {} to {}; they must start at 0 and "
                      "stay within the {} corners",
                      ends.front(), ends.back(), connectivity_.count));
    vtk::read_cells(*connectivity_.start, connectivity_.type, std::span(ends).subspan(1), types,
                    cells_);
  }

  std::string file_;
  Scanner scan_;
  CellCollector cells_;
  Numbers points_, offsets_, connectivity_, types_;
  std::int64_t count_ = 0;  // of cells
};

}  // namespace

Solid parse_vtk(std::string_view bytes, const std::string& name,
                std::vector<std::string>* warnings) {
  if (bytes.empty()) throw InputError(name, "", "is an empty file");
  return VtkReader(bytes, name, warnings).read();
}

}  // namespace pliant
