#include "scene/outline.h"

namespace pliant {
namespace {

class Outliner : public Fields {
 public:
  Outline outline;

  void numbers(const char* name, std::span<double>, bool*, const Range&) override { add(name); }
  void integer(const char* name, int&, bool*, const Range&) override { add(name); }
  void flag(const char* name, bool&, const Note&) override { add(name); }
  void text(const char* name, std::string&, bool*, const Note&) override { add(name); }
  void file(const char* name, std::string&, bool*, const Note&) override { add(name); }
  void choice(const char* name, int&, std::span<const char* const>, const Note&) override {
    add(name);
  }
  void object(const char* name, bool*, const Note&, const std::function<void(Fields&)>&) override {
    add(name);
  }
  void list(const char* name, Elements&, const Note&) override { add(name); }
  void map(const char* name, Elements&, const Note&) override { add(name); }
  void shorthand(const char* field) override {
    if (outline.shorthand.empty()) outline.shorthand = field;
  }
  void shorthand_names_member() override { outline.names_member = true; }
  void exactly_one(std::span<const char* const>) override {}
  void at_most_one(std::span<const char* const>) override {}

 private:
  void add(const char* name) { outline.fields.push_back(name); }
};

}  // namespace

Outline outline(const std::function<void(Fields&)>& describe) {
  Outliner outliner;
  describe(outliner);
  return outliner.outline;
}

std::string singular(const std::string& list) {
  if (list.ends_with("ies")) return list.substr(0, list.size() - 3) + "y";
  if (list.ends_with("s")) return list.substr(0, list.size() - 1);
  return list;
}

std::string with_article(const std::string& noun) {
  const bool begins_with_vowel =
      !noun.empty() && std::string("aeiou").find(noun.front()) != std::string::npos;
  return (begins_with_vowel ? "an " : "a ") + noun;
}

}  // namespace pliant
