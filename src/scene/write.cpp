#include "scene/write.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "scene/json.h"

namespace pliant {
namespace {

/// A walk that writes the members of one object.
class Writer : public Fields {
 public:
  Writer(std::string& out, int indent) : out_(out), indent_(indent) {}

  void write(const std::function<void(Fields&)>& describe) {
    out_ += '{';
    indent_ += 2;
    describe(*this);
    indent_ -= 2;
    if (!is_first_) new_line();
    out_ += '}';
  }

  void numbers(const char* name, std::span<double> value, bool* present, const Range&) override {
    if (present && !*present) return;
    member(name);
    if (value.size() == 1) {
      out_ += shown(value[0]);
      return;
    }
    out_ += '[';
    for (std::size_t i = 0; i < value.size(); ++i) out_ += (i ? ", " : "") + shown(value[i]);
    out_ += ']';
  }
  void integer(const char* name, int& value, bool* present, const Range&) override {
    if (present && !*present) return;
    member(name);
    out_ += std::to_string(value);
  }
  void flag(const char* name, bool& value, const Note&) override {
    member(name);
    out_ += value ? "true" : "false";
  }
  void text(const char* name, std::string& value, bool* present, const Note&) override {
    if (present && !*present) return;
    member(name);
    out_ += json_text(value);
  }
  void file(const char* name, std::string& value, bool* present, const Note& note) override {
    text(name, value, present, note);
  }
  void choice(const char* name, int& index, std::span<const char* const> names,
              const Note&) override {
    member(name);
    out_ += json_text(names[index]);
  }
  void object(const char* name, bool* present, const Note&,
              const std::function<void(Fields&)>& describe) override {
    if (present && !*present) return;
    member(name);
    Writer(out_, indent_).write(describe);
  }
  void list(const char* name, Elements& elements, const Note&) override {
    if (!elements.given()) return;
    member(name);
    out_ += '[';
    indent_ += 2;
    for (int i = 0; i < elements.size(); ++i) {
      if (i > 0) out_ += ',';
      new_line();
      Writer(out_, indent_).write([&](Fields& fields) { elements.describe(fields, i); });
    }
    indent_ -= 2;
    if (elements.size() > 0) new_line();
    out_ += ']';
  }
  void map(const char* name, Elements& elements, const Note&) override {
    member(name);
    Writer inner(out_, indent_);
    inner.write([&](Fields&) {
      for (int i = 0; i < elements.size(); ++i) {
        inner.member(elements.key(i));
        Writer(out_, indent_ + 2).write([&](Fields& fields) { elements.describe(fields, i); });
      }
    });
  }
  void shorthand(const char*) override {}
  void shorthand_names_member() override {}
  void exactly_one(std::span<const char* const>) override {}
  void at_most_one(std::span<const char* const>) override {}

 private:
  void new_line() { out_ += '\n' + std::string(std::size_t(indent_), ' '); }
  void member(const std::string& name) {
    if (!is_first_) out_ += ',';
    is_first_ = false;
    new_line();
    out_ += json_text(name) + ": ";
  }

  std::string& out_;
  int indent_;
  bool is_first_ = true;
};

}  // namespace

std::string write_scene(const SceneDescription& scene, int indent) {
  std::string out;
  SceneDescription copy = scene;  // a walk could write into what it describes; this one does not
  Writer(out, indent).write([&](Fields& fields) { describe(fields, copy); });
  return out;
}

std::string json_text(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace pliant
