#include "formats/vtu.h"

#include <fmt/format.h>
#include <optional>

#include "formats/base64.h"
#include "formats/bytes.h"
#include "formats/scanner.h"
#include "formats/text.h"
#include "formats/vtk_cells.h"
#include "formats/xml.h"

namespace pliant {
namespace {

constexpr std::size_t most_pieces = 100000;

std::optional<NumberType> type_named(std::string_view name) {
  constexpr const char* names[] = {"Int8",   "UInt8", "Int16",  "UInt16",  "Int32",
                                   "UInt32", "Int64", "UInt64", "Float32", "Float64"};
  for (int i = 0; i < 10; ++i)
    if (name == names[i]) return NumberType(i);
  return std::nullopt;
}

// Tags around arrays. Others stand inside of arrays (InformationKey) and change nothing.
bool is_group(std::string_view name) {
  for (const char* known : {"Points", "Cells", "PointData", "CellData", "FieldData"})
    if (name == known) return true;
  return false;
}

// A DataArray as its tag describes it; the numbers are read when the whole file is known.
struct Array {
  enum class Format { missing, text, base64, appended };
  Format format = Format::missing;
  NumberType type = NumberType::int32;
  std::int64_t line = 0;           // of the tag
  std::size_t begin = 0, end = 0;  // [bytes] of what stands between the tags
  std::int64_t begin_line = 0;
  std::int64_t offset = 0;  // in the appended data
};

struct Piece {
  std::int64_t points = 0, cells = 0;
  std::int64_t line = 0;
  Array coordinates, connectivity, offsets, types;
};

class VtuReader {
 public:
  VtuReader(std::string_view bytes, const std::string& file, std::vector<std::string>* warnings)
      : bytes_(bytes), file_(file), cells_(file, 0, warnings) {}

  Solid read() {
    find_arrays();
    if (!grid_)
      throw InputError(file_, "", "has no <VTKFile type=\"UnstructuredGrid\">",
                       "only unstructured grids of VTK can be read");
    for (const Piece& piece : pieces_) read_piece(piece);
    return cells_.finish();
  }

 private:
  [[noreturn]] void refuse(std::int64_t line, const std::string& what,
                           const std::string& hint = "") const {
    throw InputError(file_, fmt::format("line {}", line), what, hint);
  }

  void find_arrays() {
    XmlTags tags(bytes_, file_);
    XmlTag tag;
    std::string_view group;  // Points, Cells, ...: the tag around the arrays
    while (tags.next(tag)) {
      if (tag.name == "AppendedData" && tag.opens) return mark_appended(tag);
      if (tag.name == "VTKFile" && tag.opens) read_header(tag);
      else if (tag.name == "Piece" && tag.opens) begin_piece(tag);
      else if (tag.name == "DataArray" && tag.opens) read_array(tag, group);
      else if (is_group(tag.name)) group = tag.closes ? std::string_view() : tag.name;
    }
  }

  void read_header(const XmlTag& tag) {
    const std::string_view type = tag.attribute("type");
    if (type != "UnstructuredGrid")
      refuse(tag.line,
             fmt::format("says type {}; only UnstructuredGrid can be read", in_quotes(type)));
    grid_ = true;
    const std::string_view order = tag.attribute("byte_order");
    if (order == "BigEndian") order_ = std::endian::big;
    else if (!order.empty() && order != "LittleEndian")
      refuse(tag.line, fmt::format("says byte_order {}", in_quotes(order)));
    const std::string_view header = tag.attribute("header_type");
    if (header == "UInt64") length_size_ = 8;
    else if (!header.empty() && header != "UInt32")
      refuse(tag.line,
             fmt::format("says header_type {}; UInt32 and UInt64 can be read", in_quotes(header)));
    compressor_ = tag.attribute("compressor");
  }

  std::int64_t count(const XmlTag& tag, const char* name) const {
    const std::string_view word = tag.attribute(name);
    std::int64_t value = 0;
    if (!parse_integer(word, value) || value < 0)
      refuse(tag.line, fmt::format("says {} = {}; it must be a count", name, in_quotes(word)));
    return value;
  }

  void begin_piece(const XmlTag& tag) {
    if (pieces_.size() >= most_pieces)
      refuse(tag.line, fmt::format("starts more than {} pieces", most_pieces));
    Piece piece;
    piece.points = count(tag, "NumberOfPoints");
    piece.cells = count(tag, "NumberOfCells");
    piece.line = tag.line;
    pieces_.push_back(piece);
  }

  void read_array(const XmlTag& tag, std::string_view group) {
    if (group != "Points" && group != "Cells") return;
    if (pieces_.empty()) refuse(tag.line, fmt::format("has {} outside of a Piece", group));
    Piece& piece = pieces_.back();
    const std::string_view name = tag.attribute("Name");
    if (group == "Points") {
      const std::string_view components = tag.attribute("NumberOfComponents");
      if (!components.empty() && components != "3")
        refuse(tag.line,
               fmt::format("says NumberOfComponents {}; points have 3", in_quotes(components)));
      piece.coordinates = described(tag);
    } else if (name == "connectivity") piece.connectivity = described(tag);
    else if (name == "offsets") piece.offsets = described(tag);
    else if (name == "types") piece.types = described(tag);
  }

  Array described(const XmlTag& tag) const {
    Array array;
    const std::string_view format = tag.attribute("format"), type = tag.attribute("type");
    const std::optional<NumberType> known = type_named(type);
    if (!known) refuse(tag.line, fmt::format("names the unknown type {}", in_quotes(type)));
    array.type = *known;
    array.line = tag.line;
    array.begin = tag.end;
    array.begin_line = tag.end_line;
    array.end = tag.closes ? tag.end : std::min(bytes_.find('<', tag.end), bytes_.size());
    if (format == "ascii" || format.empty()) array.format = Array::Format::text;
    else if (format == "binary") array.format = Array::Format::base64;
    else if (format == "appended") array.format = Array::Format::appended;
    else refuse(tag.line, fmt::format("says format {}", in_quotes(format)));
    if (array.format == Array::Format::appended) array.offset = count(tag, "offset");
    if (array.format != Array::Format::text && !compressor_.empty())
      refuse(tag.line,
             fmt::format("holds compressed numbers ({}), which cannot be read",
                         in_quotes(compressor_)),
             "save the file again without compression, or as ascii");
    return array;
  }

  // What follows is no XML any more. The data start behind an underscore.
  void mark_appended(const XmlTag& tag) {
    const std::string_view encoding = tag.attribute("encoding");
    if (encoding != "raw" && encoding != "base64")
      refuse(tag.line,
             fmt::format("says encoding {}; raw and base64 can be read", in_quotes(encoding)));
    appended_is_raw_ = encoding == "raw";
    const std::size_t mark = bytes_.find_first_not_of(" \t\r\n", tag.end);
    if (mark == std::string_view::npos || bytes_[mark] != '_')
      refuse(tag.end_line, "has no underscore before the appended data");
    appended_ = mark + 1;
  }

  // The bytes of an array follow their length.
  std::uint64_t length(std::string_view from) const {
    return length_size_ == 8 ? get<std::uint64_t>(from, order_) : get<std::uint32_t>(from, order_);
  }

  Scanner open(const Array& array, const char* what, const char* inside, std::string& decoded,
               std::int64_t piece_line) {
    if (array.format == Array::Format::missing)
      refuse(piece_line, fmt::format("starts a piece without {}", what));
    if (array.format == Array::Format::text) {
      Scanner scan(bytes_.substr(0, array.end), file_);
      scan.seek(array.begin, array.begin_line);
      return scan;
    }
    if (array.format == Array::Format::base64)
      return open_base64(bytes_.substr(array.begin, array.end - array.begin), array, inside,
                         decoded);
    if (appended_ == 0) refuse(array.line, "refers to appended data, but the file has none");
    if (std::uint64_t(array.offset) >= bytes_.size() - appended_)
      refuse(array.line, fmt::format("says offset {}, but only {} bytes are appended", array.offset,
                                     bytes_.size() - appended_));
    const std::size_t start = appended_ + std::size_t(array.offset);
    return appended_is_raw_ ? open_raw(start, array)
                            : open_base64(bytes_.substr(start), array, inside, decoded);
  }

  Scanner open_base64(std::string_view text, const Array& array, const char* inside,
                      std::string& decoded) {
    const std::string head = decode_base64(text, length_size_);
    if (head.size() < length_size_) refuse(array.line, "starts an array without its length");
    const std::uint64_t bytes = length(head);
    take(bytes, array);
    decoded = decode_base64(text, length_size_ + std::size_t(bytes));
    if (decoded.size() < length_size_ + bytes)
      refuse(array.line, fmt::format("starts an array of {} bytes, of which only {} are there",
                                     bytes, decoded.size() - length_size_));
    Scanner scan(decoded, file_);
    scan.expect_bytes(order_);
    scan.set_inside(inside);
    scan.seek(length_size_, 1);
    return scan;
  }

  Scanner open_raw(std::size_t start, const Array& array) {
    if (bytes_.size() - start < length_size_)
      refuse(array.line, "starts an array without its length");
    const std::uint64_t bytes = length(bytes_.substr(start));
    start += length_size_;
    if (bytes > bytes_.size() - start)
      refuse(array.line, fmt::format("starts an array of {} bytes, of which only {} are there",
                                     bytes, bytes_.size() - start));
    take(bytes, array);
    Scanner scan(bytes_.substr(0, start + std::size_t(bytes)), file_);
    scan.expect_bytes(order_);
    scan.seek(start, 1);
    return scan;
  }

  // Many arrays may name the same bytes; together they must not pass the file.
  void take(std::uint64_t bytes, const Array& array) {
    if (bytes > bytes_.size() - taken_)
      refuse(array.line, fmt::format("starts an array of {} bytes; with the arrays before that is "
                                     "more than the file has",
                                     bytes));
    taken_ += std::size_t(bytes);
  }

  void read_piece(const Piece& piece) {
    if (piece.points == 0 && piece.cells == 0) return;
    for (const Array* array : {&piece.connectivity, &piece.offsets, &piece.types})
      if (array->format != Array::Format::missing && !is_whole(array->type))
        refuse(array->line, "describes cells by numbers that are not whole");
    std::string buffer;  // of the array that is being read
    cells_.begin_piece();
    Scanner points = open(piece.coordinates, "points", "the decoded points", buffer, piece.line);
    vtk::read_points(points, piece.coordinates.type, piece.points, cells_);
    if (piece.cells == 0) return;
    Scanner offsets = open(piece.offsets, "offsets", "the decoded offsets", buffer, piece.line);
    const std::vector<std::int64_t> ends = vtk::read_ends(offsets, piece.offsets.type, piece.cells);
    Scanner kinds = open(piece.types, "types", "the decoded types", buffer, piece.line);
    const std::vector<std::uint8_t> types = vtk::read_types(kinds, piece.types.type, piece.cells);
    Scanner connectivity =
        open(piece.connectivity, "connectivity", "the decoded connectivity", buffer, piece.line);
    vtk::read_cells(connectivity, piece.connectivity.type, ends, types, cells_);
  }

  std::string_view bytes_;
  std::string file_;
  CellCollector cells_;
  bool grid_ = false;
  std::endian order_ = std::endian::little;
  std::size_t length_size_ = 4;  // [bytes] of the length before each array
  std::string_view compressor_;
  std::vector<Piece> pieces_;
  std::size_t appended_ = 0;  // [bytes] where the appended data start; 0: there are none
  bool appended_is_raw_ = false;
  std::size_t taken_ = 0;  // [bytes] of arrays so far
};

}  // namespace

Solid parse_vtu(std::string_view bytes, const std::string& name,
                std::vector<std::string>* warnings) {
  if (bytes.empty()) throw InputError(name, "", "is an empty file");
  return VtuReader(bytes, name, warnings).read();
}

}  // namespace pliant
