#include "core/hash.h"

#include <cstring>

namespace pliant {
namespace {

// The finaliser of splitmix64 (Steele, Lea, Flood 2014): every input bit reaches every output bit.
std::uint64_t mix(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}

}  // namespace

void Hash::add(std::uint64_t word) {
  state_ = mix(state_ ^ word) + 0x9E3779B97F4A7C15ull;
  count_ += 8;
}

void Hash::add(std::span<const std::byte> bytes) {
  std::size_t i = 0;
  for (; i + 8 <= bytes.size(); i += 8) {
    std::uint64_t word;
    std::memcpy(&word, bytes.data() + i, 8);
    add(word);
  }
  if (i == bytes.size()) return;
  std::uint64_t tail = 0;
  std::memcpy(&tail, bytes.data() + i, bytes.size() - i);
  add(tail);
  count_ -= 8 - (bytes.size() - i);
}

std::uint64_t Hash::value() const { return mix(state_ ^ count_); }

std::uint64_t hash_of(std::span<const std::byte> bytes) {
  Hash hash;
  hash.add(bytes);
  return hash.value();
}

std::uint64_t hash_of(const std::string& text) {
  return hash_of(std::as_bytes(std::span(text.data(), text.size())));
}

std::string hex(std::uint64_t value) {
  std::string text(16, '0');
  for (int i = 15; i >= 0; --i, value >>= 4) text[std::size_t(i)] = "0123456789abcdef"[value & 15];
  return text;
}

}  // namespace pliant
