#include "core/file_name.h"

#include <cstdint>
#include <set>

namespace pliant {
namespace {

constexpr std::size_t longest_name = 64;  // [bytes]

struct Character {
  std::int64_t code = -1;  // of Unicode; -1 = the first byte is no UTF-8
  std::size_t size = 1;    // [bytes]
};

/// The first character of a text that is not empty.
Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) return {byte(0), 1};
  const std::size_t size = byte(0) >= 0xF0 ? 4 : byte(0) >= 0xE0 ? 3 : 2;
  if (byte(0) < 0xC2 || byte(0) > 0xF4 || text.size() < size) return {};
  std::int64_t code = byte(0) & (0xFF >> (size + 1));
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {};
    code = 64 * code + (byte(i) & 0x3F);
  }
  // Shorter forms exist, halves of pairs, and beyond the last character.
  constexpr std::int64_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  if (code < least[size] || (code >= 0xD800 && code < 0xE000) || code > 0x10FFFF) return {};
  return {code, size};
}

bool is_letter_or_digit(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

bool is_misleading(std::int64_t code) {
  if (code < 0x20 || (code >= 0x7F && code < 0xA0)) return true;  // -1, too
  const bool is_mark = (code >= 0x200B && code <= 0x200F) || (code >= 0x2028 && code <= 0x202E) ||
                       (code >= 0x2060 && code <= 0x206F) || code == 0x00AD || code == 0x061C ||
                       code == 0xFEFF || (code >= 0xFFF0 && code <= 0xFFFF) || code >= 0xE0000;
  const bool is_slash = code == 0x2044 || code == 0x2215 || code == 0x2216 || code == 0x29F8 ||
                        code == 0x29F5 || code == 0x29F9 || code == 0xFF0F || code == 0xFF3C ||
                        code == 0xFE68;
  return is_mark || is_slash;
}

}  // namespace

std::string file_name_of(std::string_view name) {
  std::string good;
  while (!name.empty()) {
    const Character c = first_character(name);
    const bool is_plain = c.code >= 0x80 ? !is_misleading(c.code)
                          : good.empty() ? is_letter_or_digit(name[0])
                                         : is_letter_or_digit(name[0]) || name[0] == ' ' ||
                                               name[0] == '-' || name[0] == '.';
    const std::string_view taken = is_plain ? name.substr(0, c.size) : "_";
    if (good.size() + taken.size() > longest_name) break;
    good += taken;
    name.remove_prefix(c.size);
  }
  return good.empty() ? "_" : good;
}

std::vector<std::string> file_names_of(std::span<const std::string> names) {
  std::vector<std::string> good;
  std::set<std::string> taken;
  for (const std::string& name : names) {
    const std::string wish = file_name_of(name);
    std::string unique = wish;
    for (int i = 2; !taken.insert(unique).second; ++i) unique = wish + '_' + std::to_string(i);
    good.push_back(unique);
  }
  return good;
}

bool has_misleading_characters(std::string_view text) {
  while (!text.empty()) {
    const Character c = first_character(text);
    if (is_misleading(c.code)) return true;
    text.remove_prefix(c.size);
  }
  return false;
}

std::string valid_utf8(std::string_view text) {
  std::string good;
  while (!text.empty()) {
    const Character c = first_character(text);
    good += c.code < 0 ? std::string_view("?") : text.substr(0, c.size);
    text.remove_prefix(c.size);
  }
  return good;
}

}  // namespace pliant
