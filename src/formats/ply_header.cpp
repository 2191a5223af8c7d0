#include "formats/ply_header.h"

#include <fmt/format.h>
#include <optional>

#include "core/errors.h"
#include "formats/text.h"

namespace pliant::ply {
namespace {

std::optional<Type> type_named(std::string_view word) {
  constexpr std::string_view names[][2] = {
      {"char", "int8"}, {"uchar", "uint8"}, {"short", "int16"},   {"ushort", "uint16"},
      {"int", "int32"}, {"uint", "uint32"}, {"float", "float32"}, {"double", "float64"}};
  for (std::size_t i = 0; i < std::size(names); ++i)
    if (word == names[i][0] || word == names[i][1]) return Type(i);
  return std::nullopt;
}

class HeaderReader {
 public:
  HeaderReader(std::string_view bytes, const std::string& file)
      : file_(file), lines_(bytes, file) {}

  Header read() {
    lines_.next();
    if (trimmed(lines_.line()) != "ply") refuse("is not \"ply\": this is no PLY file");
    while (lines_.next()) {
      std::string_view rest = lines_.line();
      const std::string_view keyword = next_word(rest);
      if (keyword == "end_header") {
        if (!format_seen_) refuse("ends a header without a \"format\" line");
        header_.bytes = lines_.position();
        header_.lines = lines_.number();
        return std::move(header_);
      }
      if (keyword == "format") read_format(rest);
      else if (keyword == "element") read_element(rest);
      else if (keyword == "property") read_property(rest);
      else if (!keyword.empty() && keyword != "comment" && keyword != "obj_info")
        refuse(fmt::format("starts with {}, which no PLY header has", in_quotes(keyword)));
    }
    throw InputError(file_, fmt::format("line {}", lines_.number()),
                     "is the last, but the header has no \"end_header\"");
  }

 private:
  void read_format(std::string_view rest) {
    const std::string_view word = next_word(rest);
    if (word == "ascii") header_.encoding = Encoding::ascii;
    else if (word == "binary_little_endian") header_.encoding = Encoding::little;
    else if (word == "binary_big_endian") header_.encoding = Encoding::big;
    else
      refuse(fmt::format(
          "names the format {}; known are ascii, binary_little_endian, binary_big_endian",
          in_quotes(word)));
    format_seen_ = true;
  }

  void read_element(std::string_view rest) {
    Element element;
    element.name = next_word(rest);
    const std::string_view word = next_word(rest);
    std::int64_t count = 0;
    if (!parse_integer(word, count) || count < 0)
      refuse(fmt::format("gives {} as the number of {}", in_quotes(word), in_quotes(element.name)));
    element.count = std::uint64_t(count);
    for (const Element& other : header_.elements)
      if (other.name == element.name && (element.name == "vertex" || element.name == "face"))
        refuse(fmt::format("repeats the element {}", in_quotes(element.name)));
    header_.elements.push_back(std::move(element));
  }

  Type read_type(std::string_view word) {
    const std::optional<Type> type = type_named(word);
    if (!type) refuse(fmt::format("has a property of the unknown type {}", in_quotes(word)));
    return *type;
  }

  void read_property(std::string_view rest) {
    if (header_.elements.empty()) refuse("has a property before the first element");
    Property property{};
    std::string_view word = next_word(rest);
    if (word == "list") {
      property.is_list = true;
      property.length_type = read_type(next_word(rest));
      if (!is_whole(property.length_type)) refuse("has a list whose length is not a whole number");
      word = next_word(rest);
    }
    property.type = read_type(word);
    property.name = next_word(rest);
    if (property.name.empty()) refuse("has a property without a name");
    header_.elements.back().properties.push_back(std::move(property));
  }

  [[noreturn]] void refuse(const std::string& what) const {
    throw InputError(file_, fmt::format("line {}", lines_.number()), what);
  }

  std::string file_;
  Lines lines_;
  Header header_;
  bool format_seen_ = false;
};

}  // namespace

std::size_t Element::smallest_row(Encoding encoding) const {
  std::size_t bytes = 0;
  for (const Property& p : properties) {
    if (encoding == Encoding::ascii) bytes += 2;  // one digit and what separates it
    else bytes += size_of(p.is_list ? p.length_type : p.type);
  }
  return bytes;
}

const Property* Element::find(std::string_view property) const {
  for (const Property& p : properties)
    if (p.name == property) return &p;
  return nullptr;
}

Header parse_header(std::string_view bytes, const std::string& file) {
  return HeaderReader(bytes, file).read();
}

}  // namespace pliant::ply
