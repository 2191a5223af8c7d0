#include "scene/json.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <set>

#include "core/assert.h"

namespace pliant {
namespace {

constexpr int deepest = 100;

/// Lets us know how far the parser has read when one of its events arrives.
struct Cursor {
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  const char* at;
  const char** furthest;

  char operator*() const { return *at; }
  Cursor& operator++() {
    *furthest = ++at;
    return *this;
  }
  bool operator==(const Cursor& other) const { return at == other.at; }
  bool operator!=(const Cursor& other) const { return at != other.at; }
};

std::string line_and_column(std::string_view text, std::size_t position) {
  const std::string_view before = text.substr(0, std::min(position, text.size()));
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t line_begin = before.rfind('\n') + 1;  // npos + 1 = 0
  return fmt::format("line {}, column {}", line,
                     std::max<std::size_t>(1, before.size() - line_begin));
}

// nlohmann's text without its prefixes: "[json.exception.parse_error.101] parse error at line 1,
// column 8: syntax error while parsing value - unexpected '}'; expected ..." becomes "unexpected
// '}'; expected ...".
std::string plain(std::string what) {
  if (const std::size_t dash = what.find(" - "); dash != std::string::npos) what.erase(0, dash + 3);
  if (const std::size_t bracket = what.find("] "); bracket != std::string::npos)
    what.erase(0, bracket + 2);
  // The last token may hold anything, and a part of what follows it is of use.
  const std::size_t token = what.find("; last read: '");
  if (token != std::string::npos) {
    const std::size_t after = what.find("'; expected", token + 14);
    what.erase(token, after == std::string::npos ? std::string::npos : after + 1 - token);
  }
  return what;
}

std::string advice(const std::string& what, std::string_view before) {
  if (what.find("unexpected '}'") != std::string::npos ||
      what.find("unexpected ']'") != std::string::npos)
    return "is there a comma too much before it?";
  if (what.find("number overflow") != std::string::npos) return "numbers must be finite";
  const std::string_view tail =
      before.substr(before.size() - std::min<std::size_t>(before.size(), 12));
  if (what.find("invalid literal") == std::string::npos) return "";
  for (const char* word : {"N", "I", "-I", "n", "i"})
    if (tail.ends_with(word) || tail.ends_with(std::string(word) + "a"))
      return "numbers must be finite; texts stand in double quotes";
  return "texts stand in double quotes";
}

}  // namespace

/// Receives nlohmann's events and fills the document.
class JsonBuilder : public nlohmann::json_sax<nlohmann::json> {
 public:
  JsonBuilder(JsonDocument& document, std::string_view text, const std::string& file)
      : document_(document), text_(text), file_(file), furthest_(text.data()) {}

  void run() {
    nlohmann::json::sax_parse(Cursor{text_.data(), &furthest_},
                              Cursor{text_.data() + text_.size(), &furthest_}, this,
                              nlohmann::json::input_format_t::json, true, true);
  }

  bool null() override { return add(JsonDocument::Kind::null); }
  bool boolean(bool value) override { return add(JsonDocument::Kind::boolean, value); }
  bool number_integer(number_integer_t value) override {
    return add(JsonDocument::Kind::number, double(value));
  }
  bool number_unsigned(number_unsigned_t value) override {
    return add(JsonDocument::Kind::number, double(value));
  }
  bool number_float(number_float_t value, const string_t&) override {
    return add(JsonDocument::Kind::number, value);
  }
  bool string(string_t& value) override {
    add(JsonDocument::Kind::text);
    document_.values_.back().text = store(value);
    return true;
  }
  bool binary(binary_t&) override { return false; }
  bool key(string_t& value) override {
    key_ = store(value);
    is_duplicate_ = !open_.back().keys.insert(value).second;
    if (is_duplicate_)
      document_.problems_.push_back({file_, pointer(path(), value),
                                     fmt::format("is given twice ({})", here()),
                                     "only one can be meant"});
    return true;
  }
  bool start_object(std::size_t) override { return open(JsonDocument::Kind::object); }
  bool start_array(std::size_t) override { return open(JsonDocument::Kind::list); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::json::exception& error) override {
    const std::string what = plain(error.what());
    throw InputError(file_, line_and_column(text_, position), "is not JSON: " + what,
                     advice(what, text_.substr(0, std::min(position, text_.size()))));
  }

 private:
  struct Open {
    int value;
    int last = -1;               // the newest child
    std::set<std::string> keys;  // of an object, so far
  };

  std::string here() const { return line_and_column(text_, std::size_t(furthest_ - text_.data())); }

  std::string path() const {
    std::string path;
    for (std::size_t level = 1; level < open_.size(); ++level) {
      const Open& parent = open_[level - 1];
      const bool in_list = document_.is(parent.value, JsonDocument::Kind::list);
      path = pointer(path, in_list ? std::to_string(document_.count(parent.value) - 1)
                                   : std::string(document_.key(open_[level].value)));
    }
    return path;
  }

  JsonDocument::Slice store(const std::string& text) {
    const JsonDocument::Slice slice{std::uint32_t(document_.pool_.size()),
                                    std::uint32_t(text.size())};
    document_.pool_ += text;
    return slice;
  }

  bool add(JsonDocument::Kind kind, double number = 0) {
    const int index = int(document_.values_.size());
    JsonDocument::Value value;
    value.kind = kind;
    value.number = number;
    if (!open_.empty()) {
      Open& parent = open_.back();
      if (document_.is(parent.value, JsonDocument::Kind::object)) value.key = key_;
      if (!is_duplicate_) {  // a second value of a key stays out of reach
        (parent.last < 0 ? document_.values_[parent.value].first
                         : document_.values_[parent.last].next) = index;
        ++document_.values_[parent.value].count;
        parent.last = index;
      }
      is_duplicate_ = false;
    }
    document_.values_.push_back(value);
    return true;
  }

  bool open(JsonDocument::Kind kind) {
    if (int(open_.size()) >= deepest)
      throw InputError(file_, here(), fmt::format("is nested more than {} levels deep", deepest));
    add(kind);
    open_.push_back({int(document_.values_.size()) - 1, -1, {}});
    return true;
  }

  bool close() {
    open_.pop_back();
    return true;
  }

  JsonDocument& document_;
  std::string_view text_;
  const std::string& file_;
  const char* furthest_;
  std::vector<Open> open_;
  JsonDocument::Slice key_;
  bool is_duplicate_ = false;
};

JsonDocument::JsonDocument(std::string_view text, const std::string& file) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  if (text.size() >= std::size_t(1) << 31)
    throw InputError(file, "", "is too large for a scene");  // indices are 32 bits wide
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
    throw InputError(file, "", "is empty", "the smallest scene is {\"bodies\": [\"model.obj\"]}");
  JsonBuilder(*this, text, file).run();
  ASSERT(!values_.empty(), "the parser accepted a text without a value");
}

int JsonDocument::member(int object, std::string_view key) const {
  if (!is(object, Kind::object)) return -1;
  for (int value = first(object); value >= 0; value = next(value))
    if (this->key(value) == key) return value;
  return -1;
}

std::string JsonDocument::shown(int value) const {
  switch (kind(value)) {
    case Kind::null:
      return "null";
    case Kind::boolean:
      return boolean(value) ? "true" : "false";
    case Kind::number:
      return pliant::shown(number(value));
    case Kind::text:
      return "the text " + quote(text(value));
    case Kind::list:
      return count(value) == 0 ? "an empty list" : fmt::format("a list of {}", count(value));
    case Kind::object:
      return "an object";
  }
  return "";
}

std::string pointer(const std::string& path, std::string_view key) {
  std::string result = path + '/';
  for (const char c : key) {
    if (c == '~') result += "~0";
    else if (c == '/') result += "~1";
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      result += fmt::format("\\u{:04x}", int(c));
    else result += c;
  }
  return result;
}

std::string quote(std::string_view text) {
  std::size_t shown = text.size();
  if (shown > 80) {
    shown = 77;
    while (shown > 0 && (static_cast<unsigned char>(text[shown]) & 0xC0) == 0x80)
      --shown;  // whole characters
  }
  std::string result = "\"";
  for (const char c : text.substr(0, shown)) {
    if (c == '"' || c == '\\') result += '\\';
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      result += fmt::format("\\u{:04x}", int(c));
    else result += c;
  }
  return result + (shown < text.size() ? "...\"" : "\"");
}

std::string shown(double number) { return fmt::format("{}", number == 0 ? 0.0 : number); }

}  // namespace pliant
