#include "formats/text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fmt/format.h>

#include "core/errors.h"

namespace pliant {
namespace {

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

bool starts_with(std::string_view text, std::initializer_list<unsigned char> bytes) {
  return text.size() >= bytes.size() &&
         std::equal(bytes.begin(), bytes.end(), text.begin(),
                    [](unsigned char a, char b) { return a == static_cast<unsigned char>(b); });
}

// Without a mark: every second byte of Latin text is zero.
bool looks_like_utf16(std::string_view text) {
  if (text.size() < 4) return false;
  const bool little = text[0] != 0 && text[1] == 0 && text[2] != 0 && text[3] == 0;
  const bool big = text[0] == 0 && text[1] != 0 && text[2] == 0 && text[3] != 0;
  return little || big;
}

// std::from_chars says only "out of range". The number is tiny, not huge, when its exponent is
// negative or, without an exponent, when nothing but zeros stands before the point.
bool is_tiny(std::string_view word) {
  const std::size_t e = word.find_first_of("eE");
  if (e != std::string_view::npos) return e + 1 < word.size() && word[e + 1] == '-';
  return word.find_first_of("123456789") > word.find('.');
}

}  // namespace

std::string_view checked_text(std::string_view bytes, const std::string& file) {
  if (bytes.empty()) throw InputError(file, "", "is an empty file");
  if (starts_with(bytes, {0xFF, 0xFE}) || starts_with(bytes, {0xFE, 0xFF}) ||
      starts_with(bytes, {0, 0, 0xFE, 0xFF}) || looks_like_utf16(bytes))
    throw InputError(file, "", "is UTF-16 (or UTF-32) text", "save it as UTF-8 or plain ASCII");
  if (starts_with(bytes, {0xEF, 0xBB, 0xBF})) bytes.remove_prefix(3);
  while (!bytes.empty() && bytes.back() == 0) bytes.remove_suffix(1);
  const std::size_t zero = bytes.find('\0');
  if (zero != std::string_view::npos)
    throw InputError(file, "", fmt::format("is not a text file: byte {} is zero", zero));
  return bytes;
}

std::string_view Lines::next_raw() {
  if (!line_feed_known_ || line_feed_ < position_) {
    line_feed_ = std::min(text_.find('\n', position_), text_.size());
    line_feed_known_ = true;
  }
  std::string_view line = text_.substr(position_, line_feed_ - position_);
  const std::size_t carriage_return = line.find('\r');
  if (carriage_return == std::string_view::npos) {
    position_ = std::min(line_feed_ + 1, text_.size());
  } else {
    const bool both = position_ + carriage_return + 1 == line_feed_;
    line = line.substr(0, carriage_return);
    position_ = std::min(position_ + carriage_return + (both ? 2 : 1), text_.size());
  }
  ++raw_number_;
  return line;
}

bool Lines::next() {
  if (position_ >= text_.size()) return false;
  line_ = next_raw();
  number_ = raw_number_;
  const auto check_length = [&](std::size_t length) {
    if (length > longest)
      throw InputError(file_, fmt::format("line {}", number_),
                       fmt::format("is longer than {} MiB", longest >> 20));
  };
  check_length(line_.size());
  if (!continued_ || !line_.ends_with('\\')) return true;

  joined_.clear();
  while (line_.ends_with('\\')) {
    joined_.append(line_, 0, line_.size() - 1);
    joined_ += ' ';
    line_ = position_ < text_.size() ? next_raw() : std::string_view();
    check_length(joined_.size() + line_.size());
  }
  joined_ += line_;
  line_ = joined_;
  return true;
}

std::string_view next_word(std::string_view& rest) {
  std::size_t begin = 0;
  while (begin < rest.size() && is_space(rest[begin])) ++begin;
  std::size_t end = begin;
  while (end < rest.size() && !is_space(rest[end])) ++end;
  const std::string_view word = rest.substr(begin, end - begin);
  rest.remove_prefix(end);
  return word;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

std::string lower_case(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = char(c + ('a' - 'A'));
  return text;
}

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? char(c + ('a' - 'A')) : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char x, char y) { return lower(x) == lower(y); });
}

NumberKind parse_number(std::string_view word, double& value) {
  if (word.starts_with('+') && !word.starts_with("+-")) word.remove_prefix(1);
  const char* const end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), end, value);
  if (error == std::errc::invalid_argument || stop != end) return NumberKind::not_a_number;
  if (error == std::errc::result_out_of_range) {
    if (!is_tiny(word)) return NumberKind::not_finite;
    value = 0;
  }
  return std::isfinite(value) ? NumberKind::finite : NumberKind::not_finite;
}

bool parse_integer(std::string_view word, std::int64_t& value) {
  if (word.starts_with('+') && !word.starts_with("+-")) word.remove_prefix(1);
  const char* const end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), end, value);
  return error == std::errc() && stop == end && !word.empty();
}

std::string in_quotes(std::string_view word) {
  constexpr std::size_t most = 40;
  std::string text = "\"";
  for (const char c : word.substr(0, most)) text += c >= ' ' && c < 127 ? c : '?';
  return text + (word.size() > most ? "...\"" : "\"");
}

}  // namespace pliant
