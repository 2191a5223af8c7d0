#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pliant::ply {

enum class Type { int8, uint8, int16, uint16, int32, uint32, float32, float64 };
enum class Encoding { ascii, little, big };

inline std::size_t size_of(Type type) {
  constexpr std::size_t sizes[] = {1, 1, 2, 2, 4, 4, 4, 8};
  return sizes[std::size_t(type)];
}
inline bool is_whole(Type type) { return type < Type::float32; }

struct Property {
  std::string name;
  Type type;  // of the value, or of each value of a list
  bool is_list = false;
  Type length_type = Type::uint8;  // lists only
};

struct Element {
  std::string name;
  std::uint64_t count = 0;
  std::vector<Property> properties;

  /// Bytes that one row takes at the very least.
  std::size_t smallest_row(Encoding encoding) const;
  const Property* find(std::string_view property) const;
};

struct Header {
  Encoding encoding = Encoding::ascii;
  std::vector<Element> elements;
  std::size_t bytes = 0;   // where the data start
  std::int64_t lines = 0;  // how many lines the header has
};

/// Throws InputError with the line.
Header parse_header(std::string_view bytes, const std::string& file);

}  // namespace pliant::ply
