#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/errors.h"

namespace pliant {

/// A parsed JSON text, flat: values lie in one array and refer to each other by index, so that
/// memory is bounded by the text and nothing is recursive. Numbers are doubles; 1, 1.0 and 1e0 are
/// the same.
class JsonDocument {
 public:
  enum class Kind { null, boolean, number, text, list, object };

  /// Comments are allowed, as are a byte-order mark and any line ends. Throws InputError with line
  /// and column for anything that is not JSON, for numbers that are not finite and for more than
  /// 100 levels. A key given twice is a problem of the document: the first value is kept and
  /// reading can go on.
  JsonDocument(std::string_view text, const std::string& file);

  const std::vector<Problem>& problems() const { return problems_; }

  static constexpr int root = 0;
  Kind kind(int value) const { return values_[value].kind; }
  bool is(int value, Kind kind) const { return values_[value].kind == kind; }
  double number(int value) const { return values_[value].number; }
  bool boolean(int value) const { return values_[value].number != 0; }
  std::string_view text(int value) const { return view(values_[value].text); }
  std::string_view key(int value) const {
    return view(values_[value].key);
  }  // of an object's member

  // Members of an object or elements of a list, in the order of the text; -1 = none.
  int count(int value) const { return values_[value].count; }
  int first(int value) const { return values_[value].first; }
  int next(int value) const { return values_[value].next; }
  int member(int object, std::string_view key) const;

  /// What a reader of a message calls this value: `0.62`, `the text "soft"`, `a list of 2`.
  std::string shown(int value) const;

 private:
  friend class JsonBuilder;
  struct Slice {
    std::uint32_t begin = 0, size = 0;
  };
  struct Value {
    Kind kind = Kind::null;
    Slice key, text;
    double number = 0;
    int first = -1, next = -1, count = 0;
  };
  std::string_view view(Slice s) const { return std::string_view(pool_).substr(s.begin, s.size); }

  std::vector<Value> values_;
  std::string pool_;  // all keys and texts
  std::vector<Problem> problems_;
};

/// One step further along a JSON pointer: "/bodies" and "a/b" give "/bodies/a~1b".
std::string pointer(const std::string& path, std::string_view key);

/// Safe to print: in quotes, control characters escaped, long texts cut.
std::string quote(std::string_view text);

/// As short as can be read back exactly.
std::string shown(double number);

}  // namespace pliant
