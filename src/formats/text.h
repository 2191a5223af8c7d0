#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace pliant {

// What all text formats share. Nothing here looks at the locale.

/// The text behind a byte order mark and before trailing zeros. Throws InputError for an empty
/// file, for UTF-16 and UTF-32 (named) and for bytes that are no text.
std::string_view checked_text(std::string_view bytes, const std::string& file);

/// Walks line by line; LF, CRLF and lone CR end a line.
class Lines {
 public:
  static constexpr std::size_t longest = std::size_t(16) << 20;  // [bytes], continuations included

  /// With `continued`, a backslash at the end of a line joins the next one to it.
  Lines(std::string_view text, const std::string& file, bool continued = false)
      : text_(text), file_(file), continued_(continued) {}

  /// False at the end. Throws InputError for a line above the limit.
  bool next();

  std::string_view line() const { return line_; }     // valid until next()
  std::int64_t number() const { return number_; }     // from 1; of joined lines the first
  std::size_t position() const { return position_; }  // [bytes] where the next line starts

 private:
  std::string_view next_raw();

  std::string_view text_;
  std::string file_;
  bool continued_;
  std::size_t position_ = 0;
  std::size_t line_feed_ =
      0;  // the first one at or after position_, so that none is searched twice
  bool line_feed_known_ = false;
  std::int64_t raw_number_ = 0;
  std::int64_t number_ = 0;
  std::string_view line_;
  std::string joined_;
};

/// Takes the first word off `rest`; empty when there is none.
std::string_view next_word(std::string_view& rest);
std::string_view trimmed(std::string_view text);
std::string lower_case(std::string text);  // of ASCII letters
bool equal_ignoring_case(std::string_view a, std::string_view b);

/// All of `word` as a number. Too small for a double becomes zero.
enum class NumberKind { finite, not_finite, not_a_number };
NumberKind parse_number(std::string_view word, double& value);

/// All of `word` as a whole number; false when it is none or does not fit.
bool parse_integer(std::string_view word, std::int64_t& value);

/// For messages: in quotes, shortened, and without bytes that would upset a terminal.
std::string in_quotes(std::string_view word);

}  // namespace pliant
