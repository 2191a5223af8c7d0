#include "formats/base64.h"

#include <algorithm>
#include <cstdint>

namespace pliant {
namespace {

int value_of(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '+') return 62;
  return c == '/' ? 63 : -1;
}

}  // namespace

std::string decode_base64(std::string_view text, std::size_t most) {
  std::string bytes;
  bytes.reserve(std::min(most, text.size() / 4 * 3 + 3));
  std::uint32_t group = 0;
  int digits = 0, padding = 0;
  for (const char c : text) {
    if (bytes.size() >= most) break;
    if (c == ' ' || (c >= '\t' && c <= '\r')) continue;
    const int value = c == '=' ? 0 : value_of(c);
    if (value < 0 || (padding > 0 && c != '=')) break;
    if (c == '=') ++padding;
    group = group << 6 | std::uint32_t(value);
    if (++digits < 4) continue;
    for (int k = 0; k < 3 - padding; ++k) bytes += char(group >> (16 - 8 * k) & 255);
    if (padding > 2) break;  // no group of its own
    group = 0, digits = 0, padding = 0;
  }
  if (bytes.size() > most) bytes.resize(most);
  return bytes;
}

}  // namespace pliant
