#include "formats/scanner.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

#include "formats/bytes.h"
#include "formats/text.h"

namespace pliant {
namespace {

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

}  // namespace

std::size_t size_of(NumberType type) {
  constexpr std::size_t sizes[] = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8};
  return sizes[std::size_t(type)];
}

void Scanner::refuse(const std::string& what, const std::string& hint) const {
  throw InputError(file_, to_string(place()), what, hint);
}

void Scanner::refuse_end(const char* what) const {
  refuse(fmt::format("is where the file ends too early, before {}", what));
}

bool Scanner::line(std::string_view& line) {
  last_ = text_ ? line_ : std::int64_t(position_);
  if (position_ >= bytes_.size()) return false;
  const std::size_t end = std::min(bytes_.find_first_of("\r\n", position_), bytes_.size());
  line = bytes_.substr(position_, end - position_);
  position_ = end;
  if (bytes_.substr(position_, 2) == "\r\n") position_ += 2;
  else if (position_ < bytes_.size()) ++position_;
  ++line_;
  return true;
}

bool Scanner::filled_line(std::string_view& text) {
  while (line(text)) {
    text = trimmed(text);
    if (!text.empty()) return true;
  }
  return false;
}

void Scanner::skip_spaces() {
  for (; position_ < bytes_.size(); ++position_) {
    const char c = bytes_[position_];
    if (comment_ != '\0' && c == comment_) {
      position_ = std::min(bytes_.find_first_of("\r\n", position_), bytes_.size());
      if (position_ == bytes_.size()) return;
    } else if (!is_space(c)) {
      return;
    }
    // CRLF counts at its second half.
    const bool lone = bytes_[position_] == '\r' &&
                      (position_ + 1 == bytes_.size() || bytes_[position_ + 1] != '\n');
    if (bytes_[position_] == '\n' || lone) ++line_;
  }
}

std::string_view Scanner::word() {
  skip_spaces();
  last_ = text_ ? line_ : std::int64_t(position_);
  const std::size_t begin = position_;
  while (position_ < bytes_.size() && !is_space(bytes_[position_]) &&
         (comment_ == '\0' || bytes_[position_] != comment_))
    ++position_;
  return bytes_.substr(begin, position_ - begin);
}

std::string_view Scanner::needed_word(const char* what) {
  const std::string_view found = word();
  if (found.empty()) refuse_end(what);
  return found;
}

std::string_view Scanner::needed_bytes(std::size_t count, const char* what) {
  last_ = std::int64_t(position_);
  if (left() < count) refuse_end(what);
  const std::string_view found = bytes_.substr(position_, count);
  position_ += count;
  return found;
}

std::int64_t Scanner::whole(NumberType type, const char* what) {
  if (text_) {
    const std::string_view found = needed_word(what);
    std::int64_t value = 0;
    if (!parse_integer(found, value))
      refuse(fmt::format("has {} where {} must be, a whole number", in_quotes(found), what));
    return value;
  }
  const std::string_view from = needed_bytes(size_of(type), what);
  constexpr std::uint64_t most = std::numeric_limits<std::int64_t>::max();
  switch (type) {
    case NumberType::int8:
      return get<std::int8_t>(from, order_);
    case NumberType::uint8:
      return get<std::uint8_t>(from, order_);
    case NumberType::int16:
      return get<std::int16_t>(from, order_);
    case NumberType::uint16:
      return get<std::uint16_t>(from, order_);
    case NumberType::int32:
      return get<std::int32_t>(from, order_);
    case NumberType::uint32:
      return get<std::uint32_t>(from, order_);
    case NumberType::int64:
      return get<std::int64_t>(from, order_);
    case NumberType::uint64:  // what does not fit is no index and no count of ours
      return std::int64_t(std::min(get<std::uint64_t>(from, order_), most));
    case NumberType::float32:
    case NumberType::float64:
      break;
  }
  refuse(fmt::format("holds {} as a number that is not whole", what));
}

double Scanner::real(NumberType type, const char* what) {
  if (text_) {
    const std::string_view found = needed_word(what);
    double value = 0;
    const NumberKind kind = parse_number(found, value);
    if (kind == NumberKind::not_a_number)
      refuse(fmt::format("has {} where {} must be, a number", in_quotes(found), what));
    return kind == NumberKind::finite ? value : std::numeric_limits<double>::quiet_NaN();
  }
  if (is_whole(type)) return double(whole(type, what));
  const std::string_view from = needed_bytes(size_of(type), what);
  return type == NumberType::float32 ? get<float>(from, order_) : get<double>(from, order_);
}

void Scanner::skip(std::uint64_t count, NumberType type, const char* what) {
  if (text_) {
    for (; count > 0; --count) needed_word(what);
    return;
  }
  last_ = std::int64_t(position_);
  if (count > left() / size_of(type)) refuse_end(what);
  position_ += std::size_t(count) * size_of(type);
}

bool Scanner::skip_past(std::string_view mark) {
  const std::size_t found = bytes_.find(mark, position_);
  last_ = text_ ? line_ : std::int64_t(position_);
  if (found == std::string_view::npos) return false;
  if (text_) line_ += std::count(bytes_.begin() + position_, bytes_.begin() + found, '\n');
  position_ = found + mark.size();
  return true;
}

void Scanner::check_room(std::int64_t count, std::size_t row_of_text, std::size_t row_of_bytes,
                         const char* things) const {
  if (count < 0) refuse(fmt::format("promises {} {}", count, things));
  const std::size_t row = text_ ? row_of_text : row_of_bytes;
  const std::size_t room = left() + (text_ ? 1 : 0);  // no newline at the end
  if (std::uint64_t(count) > room / row)
    refuse(fmt::format("promises {} {}, but only {} bytes follow", count, things, left()));
}

}  // namespace pliant
