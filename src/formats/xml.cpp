#include "formats/xml.h"

#include <algorithm>
#include <fmt/format.h>

#include "core/errors.h"
#include "formats/text.h"

namespace pliant {

std::string_view XmlTag::attribute(std::string_view attribute_name) const {
  for (const auto& [known, value] : attributes)
    if (known == attribute_name) return value;
  return {};
}

void XmlTags::refuse(const std::string& what, const std::string& hint) const {
  throw InputError(file_, fmt::format("line {}", line_), what, hint);
}

void XmlTags::move_to(std::size_t position) {
  line_ += std::count(text_.begin() + position_, text_.begin() + position, '\n');
  position_ = position;
}

void XmlTags::pass(std::string_view end, const char* what) {
  const std::size_t found = text_.find(end, position_);
  if (found == std::string_view::npos) refuse(fmt::format("starts {} that has no end", what));
  move_to(found + end.size());
}

bool XmlTags::next(XmlTag& tag) {
  for (;;) {
    const std::size_t start = text_.find('<', position_);
    if (start == std::string_view::npos) return false;
    move_to(start);
    const std::string_view rest = text_.substr(start);
    if (rest.starts_with("<!--")) pass("-->", "a comment");
    else if (rest.starts_with("<?")) pass("?>", "an instruction");
    else if (rest.starts_with("<!")) refuse("has a document type or CDATA, which cannot be read");
    else break;
  }
  // A ">" inside an attribute's quotes does not end the tag.
  std::size_t end = position_ + 1;
  for (char quote = 0; end < text_.size(); ++end) {
    const char c = text_[end];
    if (quote == 0 && c == '>') break;
    if (quote == 0 && (c == '"' || c == '\'')) quote = c;
    else if (c == quote) quote = 0;
  }
  if (end >= text_.size()) refuse("starts a tag that has no end");

  std::string_view inside = text_.substr(position_ + 1, end - position_ - 1);
  tag.opens = !inside.starts_with('/');
  tag.closes = !tag.opens || inside.ends_with('/');
  if (!tag.opens) inside.remove_prefix(1);
  else if (tag.closes) inside.remove_suffix(1);
  tag.name = next_word(inside);
  tag.attributes.clear();
  if (tag.name.empty()) refuse("has a tag without a name");
  read_attributes(inside, tag);
  tag.line = line_;
  move_to(end + 1);
  tag.end = position_;
  tag.end_line = line_;
  return true;
}

void XmlTags::read_attributes(std::string_view inside, XmlTag& tag) const {
  for (inside = trimmed(inside); !inside.empty(); inside = trimmed(inside)) {
    const std::size_t equals = inside.find('=');
    const std::string_view name = trimmed(inside.substr(0, equals));
    if (equals == std::string_view::npos || name.empty())
      refuse(fmt::format("has {} where an attribute must be", in_quotes(inside)));
    inside = trimmed(inside.substr(equals + 1));
    const char quote = inside.empty() ? '\0' : inside[0];
    const std::size_t end = inside.find(quote, 1);
    if ((quote != '"' && quote != '\'') || end == std::string_view::npos)
      refuse(fmt::format("gives the attribute {} no value in quotes", in_quotes(name)));
    tag.attributes.emplace_back(name, inside.substr(1, end - 1));
    inside.remove_prefix(end + 1);
  }
}

}  // namespace pliant
