#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pliant {

/// One tag, with views into the file.
struct XmlTag {
  std::string_view name;
  bool opens = false, closes = false;  // both: <name/>
  std::vector<std::pair<std::string_view, std::string_view>> attributes;
  std::int64_t line = 0;  // where it starts
  std::size_t end = 0;    // [bytes] behind its ">"
  std::int64_t end_line = 0;

  /// Empty when there is none.
  std::string_view attribute(std::string_view attribute_name) const;
};

/// Walks over the tags of an XML file from first to last; whether they are nested rightly is the
/// caller's business. Passes over comments and <?...?>. Entities stay as they are written, so
/// nothing grows; document types and CDATA are refused. Throws InputError with line.
class XmlTags {
 public:
  XmlTags(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  /// False at the end. `tag` may be reused.
  bool next(XmlTag& tag);

 private:
  void move_to(std::size_t position);
  void pass(std::string_view end, const char* what);
  void read_attributes(std::string_view inside, XmlTag& tag) const;
  [[noreturn]] void refuse(const std::string& what, const std::string& hint = "") const;

  std::string_view text_;
  std::string file_;
  std::size_t position_ = 0;
  std::int64_t line_ = 1;
};

}  // namespace pliant
