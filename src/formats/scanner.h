#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

#include "formats/problems.h"

namespace pliant {

enum class NumberType {
  int8,
  uint8,
  int16,
  uint16,
  int32,
  uint32,
  int64,
  uint64,
  float32,
  float64
};
std::size_t size_of(NumberType type);
inline bool is_whole(NumberType type) { return type < NumberType::float32; }

/// Reads a file that mixes lines of text with numbers written as words or as bytes. A copy of it is
/// a bookmark. Everything that reads throws InputError, with line (text) or byte (binary), when the
/// file ends too early or holds something else.
class Scanner {
 public:
  /// From `comment` to the end of its line nothing is read.
  Scanner(std::string_view bytes, const std::string& file, char comment = '\0')
      : bytes_(bytes), file_(file), comment_(comment) {}

  /// Numbers are bytes from here on; places are bytes, too.
  void expect_bytes(std::endian order) { text_ = false, order_ = order; }
  bool is_text() const { return text_; }
  /// Bytes are counted in something taken out of the file: "the decoded points".
  void set_inside(const char* inside) { inside_ = inside; }
  void seek(std::size_t position, std::int64_t line) { position_ = position, line_ = line; }

  /// The rest of the line, without its end. False at the end of the file.
  bool line(std::string_view& line);
  /// The next line that is not blank.
  bool filled_line(std::string_view& line);
  /// The next word; empty at the end.
  std::string_view word();
  /// The next number of this type; as text any type is taken. `what` says what is missing.
  std::int64_t whole(NumberType type, const char* what);
  double real(NumberType type, const char* what);  // not finite is possible
  void skip(std::uint64_t count, NumberType type, const char* what);
  /// Passes the next occurrence; false, and nothing passed, when there is none.
  bool skip_past(std::string_view mark);

  /// Refuses a count before anything is reserved for it. The sizes are those of the smallest
  /// possible row.
  void check_room(std::int64_t count, std::size_t row_of_text, std::size_t row_of_bytes,
                  const char* things) const;

  std::size_t position() const { return position_; }
  std::size_t left() const { return bytes_.size() - position_; }
  Place place() const {  // of what was read last
    return {last_, text_ ? "line" : "byte", inside_};
  }
  [[noreturn]] void refuse(const std::string& what, const std::string& hint = "") const;

 private:
  void skip_spaces();
  std::string_view needed_word(const char* what);
  std::string_view needed_bytes(std::size_t count, const char* what);
  [[noreturn]] void refuse_end(const char* what) const;

  std::string_view bytes_;
  std::string file_;
  char comment_;
  bool text_ = true;
  std::endian order_ = std::endian::little;
  const char* inside_ = "";
  std::size_t position_ = 0;
  std::int64_t line_ = 1;  // of position_; counted in text only
  std::int64_t last_ = 1;
};

}  // namespace pliant
