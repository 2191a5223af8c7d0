#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/errors.h"

namespace pliant {

/// Where something stands in a file.
struct Place {
  std::int64_t at = 0;
  const char* unit = "line";  // or "byte"
  const char* inside = "";    // what the bytes are counted in, when that is not the file itself
};
std::string to_string(const Place& place);  // "line 12", "byte 40 of the decoded points"

/// What is wrong with one file, collected so that the user sees it all at once. Keeps the first 20
/// in the order of the file and counts the rest: a broken file of a million lines costs no memory.
class Problems {
 public:
  explicit Problems(std::string file) : file_(std::move(file)) {}

  /// `place` orders the problems (a line or byte number); `where` is what the user reads: "line
  /// 12".
  void add(std::int64_t place, std::string where, std::string what, std::string hint = "");
  void add(const Place& place, std::string what, std::string hint = "");
  void add_line(std::int64_t line, std::string what, std::string hint = "");

  std::int64_t count() const { return count_; }

  /// Throws InputError with what was collected, and "and N more problems" at its end.
  void throw_if_any();

 private:
  struct Entry {
    std::int64_t place;
    Problem problem;
  };
  void keep_first();

  std::string file_;
  std::vector<Entry> entries_;
  std::int64_t count_ = 0;
};

/// Something repaired many times, reported once.
struct Tally {
  std::int64_t count = 0;
  std::int64_t first = 0;  // line, or number of the element

  void add(std::int64_t place) {
    if (count++ == 0) first = place;
  }
};

/// The same with a place of any kind.
struct PlaceTally {
  std::int64_t count = 0;
  Place first;

  void add(const Place& place) {
    if (count++ == 0) first = place;
  }
};

/// Appends "file: text" when somebody wants to hear it.
void warn(std::vector<std::string>* warnings, const std::string& file, const std::string& text);

}  // namespace pliant
