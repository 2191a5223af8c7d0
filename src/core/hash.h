#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace pliant {

/// A 64-bit fingerprint of bytes, fed piece by piece. Same bytes in the same order, same result, on
/// every machine. Not cryptographic: it finds accidents, not attackers.
class Hash {
 public:
  void add(std::span<const std::byte> bytes);
  void add(std::uint64_t word);
  std::uint64_t value() const;

 private:
  std::uint64_t state_ = 0x9E3779B97F4A7C15ull;
  std::uint64_t count_ = 0;
};

std::uint64_t hash_of(std::span<const std::byte> bytes);
std::uint64_t hash_of(const std::string& text);

/// 16 hexadecimal digits.
std::string hex(std::uint64_t value);

}  // namespace pliant
