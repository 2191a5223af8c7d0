#include "scene/schema.h"

#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "scene/description.h"

namespace pliant {
namespace {

using Json = nlohmann::ordered_json;

Json number_json(double value) {
  if (value == std::floor(value) && std::abs(value) < 1e15)
    return std::int64_t(value);  // 1 and not 1.0
  return value;
}

std::string joined(const std::string& a, const std::string& b) {
  return a.empty() ? b : b.empty() ? a : a + "; " + b;
}

void add_description(Json& json, const char* help, const char* unit, const char* computed) {
  std::string text = help;
  if (*unit) text = joined(text, fmt::format("in {}", unit));
  if (computed) text = joined(text, fmt::format("left out: {}", computed));
  if (!text.empty()) json["description"] = text;
}

Json number_type(const char* type, const Range& range) {
  Json json = {{"type", type}};
  if (std::isfinite(range.above)) json["exclusiveMinimum"] = number_json(range.above);
  if (std::isfinite(range.at_least)) json["minimum"] = number_json(range.at_least);
  if (std::isfinite(range.below)) json["exclusiveMaximum"] = number_json(range.below);
  if (std::isfinite(range.at_most)) json["maximum"] = number_json(range.at_most);
  return json;
}

/// A walk that collects the schema of one object.
class Schema : public Fields {
 public:
  static Json of(const std::function<void(Fields&)>& describe) {
    Schema schema;
    describe(schema);
    return schema.finished();
  }

  void numbers(const char* name, std::span<double> value, bool* present,
               const Range& range) override {
    Json json = number_type("number", range);
    if (value.size() > 1)
      json = {{"type", "array"},
              {"items", json},
              {"minItems", value.size()},
              {"maxItems", value.size()}};
    if (!present && !range.required) {
      Json start = Json::array();
      for (const double v : value) start.push_back(number_json(v));
      json["default"] = value.size() > 1 ? start : start[0];
    }
    add(name, std::move(json), range.help, range.unit, range.computed, range.required);
  }
  void integer(const char* name, int& value, bool* present, const Range& range) override {
    Json json = number_type("integer", range);
    if (!present && !range.required) json["default"] = value;
    add(name, std::move(json), range.help, range.unit, range.computed, range.required);
  }
  void flag(const char* name, bool& value, const Note& note) override {
    add(name, {{"type", "boolean"}, {"default", value}}, note);
  }
  void text(const char* name, std::string& value, bool* present, const Note& note) override {
    Json json = {{"type", "string"}};
    if (!present && !note.required) json["default"] = value;
    add(name, std::move(json), note);
  }
  void file(const char* name, std::string&, bool*, const Note& note) override {
    Json json = {{"type", "string"}, {"minLength", 1}};
    add(name, std::move(json), joined(note.help, "a path relative to the scene's folder").c_str(),
        "", note.computed, note.required);
  }
  void choice(const char* name, int& index, std::span<const char* const> names,
              const Note& note) override {
    add(name,
        {{"enum", std::vector<std::string>(names.begin(), names.end())}, {"default", names[index]}},
        note);
  }
  void object(const char* name, bool*, const Note& note,
              const std::function<void(Fields&)>& describe) override {
    add(name, of(describe), note);
    names_.push_back(name);
  }
  void list(const char* name, Elements& elements, const Note& note) override {
    add(name, {{"type", "array"}, {"items", of([&](Fields& f) { elements.describe_default(f); })}},
        note);
    if (note.required) properties_[name]["minItems"] = 1;
  }
  void map(const char* name, Elements& elements, const Note& note) override {
    add(name,
        {{"type", "object"},
         {"additionalProperties", of([&](Fields& f) { elements.describe_default(f); })}},
        note);
  }
  void shorthand(const char* field) override {
    if (shorthand_.empty()) shorthand_ = field;
  }
  void shorthand_names_member() override { names_member_ = true; }
  void exactly_one(std::span<const char* const> names) override {
    Json one = Json::array();
    for (const char* name : names) one.push_back({{"required", {name}}});
    rules_.push_back({{"oneOf", one}});
  }
  void at_most_one(std::span<const char* const> names) override {
    Json pairs = Json::array();
    for (std::size_t i = 0; i < names.size(); ++i)
      for (std::size_t k = i + 1; k < names.size(); ++k)
        pairs.push_back({{"required", {names[i], names[k]}}});
    rules_.push_back({{"not", {{"anyOf", pairs}}}});
  }

 private:
  void add(const char* name, Json json, const char* help, const char* unit, const char* computed,
           bool required) {
    add_description(json, help, unit, computed);
    properties_[name] = std::move(json);
    if (required) required_.push_back(name);
  }
  void add(const char* name, Json json, const Note& note) {
    add(name, std::move(json), note.help, "", note.computed, note.required);
  }

  Json finished() {
    Json json = {{"type", "object"}, {"additionalProperties", false}, {"properties", properties_}};
    if (!required_.empty()) json["required"] = required_;
    if (rules_.size() == 1) json.update(rules_[0]);
    else if (!rules_.empty()) json["allOf"] = rules_;
    if (shorthand_.empty() && !names_member_) return json;
    const Json text = names_member_ ? Json{{"enum", names_}} : properties_[shorthand_];
    return {{"oneOf", {text, json}}};
  }

  Json properties_ = Json::object();
  Json required_ = Json::array();
  Json rules_ = Json::array();
  std::vector<std::string> names_;  // of members that are objects
  std::string shorthand_;
  bool names_member_ = false;
};

}  // namespace

std::string scene_schema() {
  SceneDescription scene;
  Json schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                 {"title", "pliant scene"}};
  schema.update(Schema::of([&](Fields& fields) { describe(fields, scene); }));
  schema["properties"]["$schema"] = {{"type", "string"}, {"description", "for editors; not read"}};
  schema["properties"]["version"]["maximum"] = SceneDescription::newest_version;
  return schema.dump(2) + "\n";
}

}  // namespace pliant
