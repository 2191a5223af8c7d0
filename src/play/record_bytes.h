#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "core/errors.h"

// Records of a recording, byte by byte: what is appended to one, and what is read back.

namespace pliant {

inline void put(std::vector<std::byte>& buffer, const void* data, std::size_t bytes) {
  if (bytes == 0) return;  // data may be null then
  const std::size_t at = buffer.size();
  buffer.resize(at + bytes);
  std::memcpy(buffer.data() + at, data, bytes);
}

template <class T>
void put(std::vector<std::byte>& buffer, const T& value) {
  static_assert(std::is_arithmetic_v<T>);
  put(buffer, &value, sizeof value);
}

inline void put(std::vector<std::byte>& buffer, const std::string& text) {
  put(buffer, std::int32_t(text.size()));
  put(buffer, text.data(), text.size());
}

template <class T>
void put_array(std::vector<std::byte>& buffer, const std::vector<T>& values) {
  put(buffer, std::int32_t(values.size()));
  put(buffer, values.data(), values.size() * sizeof(T));
}

/// Takes values off the front of a record and never reads past its end.
struct Cursor {
  std::span<const std::byte> rest;

  void take(void* to, std::size_t bytes) {
    if (bytes > rest.size()) throw IoError("the recording is damaged: a record ends too early");
    if (bytes == 0) return;  // `to` may be null then
    std::memcpy(to, rest.data(), bytes);
    rest = rest.subspan(bytes);
  }
  template <class T>
  T take() {
    T value;
    take(&value, sizeof value);
    return value;
  }
  int take_count(std::size_t element_size) {
    const auto count = take<std::int32_t>();
    if (count < 0 || std::size_t(count) > rest.size() / element_size)
      throw IoError("the recording is damaged: a count is too large");
    return count;
  }
  std::string take_text() {
    std::string text(std::size_t(take_count(1)), '\0');
    take(text.data(), text.size());
    return text;
  }
  template <class T>
  void take_array(std::vector<T>& values) {
    values.resize(std::size_t(take_count(sizeof(T))));
    take(values.data(), values.size() * sizeof(T));
  }
};

}  // namespace pliant
