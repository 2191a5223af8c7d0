#pragma once

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

namespace pliant {

/// A number from the first bytes of `from`, which must hold it.
template <class T>
T get(std::string_view from, std::endian order) {
  static_assert(std::is_arithmetic_v<T>);
  char raw[sizeof(T)];
  std::memcpy(raw, from.data(), sizeof(T));
  if (order != std::endian::native) std::reverse(raw, raw + sizeof(T));
  T value;
  std::memcpy(&value, raw, sizeof(T));
  return value;
}

/// Appends a number, lowest byte first.
template <class T>
void put(std::string& to, T value) {
  static_assert(std::is_arithmetic_v<T>);
  char raw[sizeof(T)];
  std::memcpy(raw, &value, sizeof(T));
  if constexpr (std::endian::native != std::endian::little) std::reverse(raw, raw + sizeof(T));
  to.append(raw, sizeof(T));
}

}  // namespace pliant
