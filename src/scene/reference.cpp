#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "scene/description.h"
#include "scene/field_titles.h"
#include "scene/json.h"
#include "scene/outline.h"
#include "scene/schema.h"

namespace pliant {
namespace {

/// One table of the page. Objects that look the same share one.
struct Section {
  std::string title, intro, rows;
};

std::string cell(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2)
    text.insert(at, 1, '\\');
  return text;
}

std::string allowed(const Range& range) {
  const bool open_low = std::isfinite(range.above), low = std::isfinite(range.at_least);
  const bool open_high = std::isfinite(range.below), high = std::isfinite(range.at_most);
  std::string text;
  if (open_low) text = "> " + shown(range.above);
  else if (low) text = ">= " + shown(range.at_least);
  if (!text.empty() && (open_high || high)) text += ", ";
  if (open_high) text += "< " + shown(range.below);
  else if (high) text += "<= " + shown(range.at_most);
  return text;
}

std::string shown_list(std::span<const double> value) {
  if (value.size() == 1) return shown(value[0]);
  std::string text = "[";
  for (std::size_t i = 0; i < value.size(); ++i) text += (i ? ", " : "") + shown(value[i]);
  return text + "]";
}

std::string choices(std::span<const char* const> names) {
  std::string text;
  for (const char* name : names) text += fmt::format("{}`\"{}\"`", text.empty() ? "" : ", ", name);
  return text;
}

/// A walk that writes the table of one object and, after it, those of the objects inside.
class Reference : public Fields {
 public:
  /// Returns the title under which the object stands: its name, or, where another thing has that
  /// name already (a body's sphere and a region's), the name after its owner's.
  static std::string write(std::vector<Section>& sections, const std::string& owner,
                           const std::string& name, const std::function<void(Fields&)>& describe) {
    const std::size_t place = sections.size();
    sections.push_back({name, "", ""});
    Reference reference(sections, name);
    describe(reference);
    sections[place].intro = reference.intro_;
    sections[place].rows = reference.rows_;
    for (std::size_t i = 0; i < place; ++i) {
      const bool is_alike = sections[i].rows == sections[place].rows;
      if (is_alike && (sections[i].title == name || sections[i].title.ends_with(" " + name))) {
        sections.resize(place);  // and those of its members, which are alike too
        return sections[i].title;
      }
    }
    for (std::size_t i = 0; i < place; ++i)
      if (sections[i].title == name) sections[place].title = owner + " " + name;
    return sections[place].title;
  }

  void numbers(const char* name, std::span<double> value, bool* present,
               const Range& range) override {
    const std::string type = value.size() == 1 ? "number" : fmt::format("{} numbers", value.size());
    row(name, type, range.unit,
        standard(present, range.required, range.computed, shown_list(value)), allowed(range),
        range.help);
  }
  void integer(const char* name, int& value, bool* present, const Range& range) override {
    row(name, "whole number", range.unit,
        standard(present, range.required, range.computed, std::to_string(value)), allowed(range),
        range.help);
  }
  void flag(const char* name, bool& value, const Note& note) override {
    row(name, "true, false", "", value ? "true" : "false", "", note.help);
  }
  void text(const char* name, std::string& value, bool* present, const Note& note) override {
    const std::string start = value.empty() ? "" : quote(value);
    row(name, "text", "", standard(present, note.required, note.computed, start), "", note.help);
  }
  void file(const char* name, std::string&, bool* present, const Note& note) override {
    row(name, "file", "", standard(present, note.required, note.computed, ""), "", note.help);
  }
  void choice(const char* name, int& index, std::span<const char* const> names,
              const Note& note) override {
    row(name, "choice", "", quote(names[index]), choices(names), note.help);
  }
  void object(const char* name, bool*, const Note& note,
              const std::function<void(Fields&)>& describe) override {
    const std::string title = write(sections_, name_, name, describe);
    row(name, link(title), "", standard(nullptr, note.required, note.computed, ""), "", note.help);
  }
  void list(const char* name, Elements& elements, const Note& note) override {
    const std::string title = write(sections_, name_, singular(name),
                                    [&](Fields& fields) { elements.describe_default(fields); });
    row(name, "list of " + link(title), "", standard(nullptr, note.required, note.computed, "none"),
        "", note.help);
  }
  void map(const char* name, Elements& elements, const Note& note) override {
    const std::string title = write(sections_, name_, singular(name),
                                    [&](Fields& fields) { elements.describe_default(fields); });
    row(name, "names to " + link(title), "",
        standard(nullptr, note.required, note.computed, "none"), "", note.help);
  }
  void shorthand(const char* field) override {
    if (has_shorthand_) return;
    has_shorthand_ = true;
    intro_ += fmt::format("May be written as a bare text, which is then its `{}`. ", field);
  }
  void shorthand_names_member() override {
    intro_ += "May be written as a bare text that names the member meant, with default settings. ";
  }
  void exactly_one(std::span<const char* const> names) override {
    if (names.size() > 1) intro_ += fmt::format("Needs exactly one of {}. ", members(names));
  }
  void at_most_one(std::span<const char* const> names) override {
    intro_ += fmt::format("Takes at most one of {}. ", members(names));
  }

 private:
  Reference(std::vector<Section>& sections, std::string name)
      : sections_(sections), name_(std::move(name)) {}

  static std::string link(const std::string& title) {
    std::string anchor = title;
    std::replace(anchor.begin(), anchor.end(), ' ', '-');
    return fmt::format("[{}](#{})", title, anchor);
  }
  static std::string members(std::span<const char* const> names) {
    std::string text;
    for (const char* name : names) text += fmt::format("{}`{}`", text.empty() ? "" : ", ", name);
    return text;
  }
  static std::string standard(const bool* present, bool required, const char* computed,
                              const std::string& value) {
    if (required) return "**required**";
    if (computed) return fmt::format("*{}*", computed);
    return present ? "" : value;
  }
  void row(const char* name, const std::string& type, const char* unit, const std::string& start,
           const std::string& range, const char* help) {
    rows_ += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", name, cell(type), cell(unit),
                         cell(start), cell(range), cell(help));
  }

  std::vector<Section>& sections_;
  std::string name_;
  std::string intro_, rows_;
  bool has_shorthand_ = false;
};

std::string preset_table() {
  std::string text =
      "## Material presets\n\n| name | young [Pa] | poisson | density [kg/m^3] | damping [1/s] | "
      "friction | what |\n"
      "|---|---|---|---|---|---|---|\n";
  for (const MaterialPreset& p : material_presets())
    text += fmt::format("| `{}` | {:.3g} | {} | {} | {} | {} | {} |\n", p.name, p.young,
                        shown(p.poisson), shown(p.density), shown(p.damping), shown(p.friction),
                        p.flow > 0 ? fmt::format("{}; flows above {} Pa at {} 1/s", cell(p.help),
                                                 shown(p.yield), shown(p.flow))
                                   : cell(p.help));
  return text;
}

std::string field_table() {
  std::string text =
      "## Fields\n\nFor `color_by`, `fields` of outputs and `fields` of probes.\n\n"
      "| name | what | unit | methods |\n|---|---|---|---|\n";
  for (const FieldTitle& field : field_titles())
    text += fmt::format("| `{}` | {} | {} | {} |\n", field.name, field.title, field.unit,
                        field.methods);
  return text;
}

}  // namespace

std::string scene_reference() {
  SceneDescription scene;
  std::vector<Section> sections;
  Reference::write(sections, "", "scene", [&](Fields& fields) { describe(fields, scene); });
  std::string text =
      "# Scene files, version 1\n\n"
      "This page is generated from the program's own description of scenes (`pliant schema "
      "--reference`): change that.\n\n"
      "A scene is a JSON file; comments are allowed. Lengths are in metres, angles in degrees, y "
      "points up. Paths are\n"
      "relative to the scene's folder and may not leave it unless `--allow-path` says so. A field "
      "that is not listed\n"
      "here is an error. The smallest scene is `{\"bodies\": [\"bunny.obj\"]}`. `\"$schema\"` may "
      "be given for editors.\n";
  for (const Section& section : sections) {
    text += fmt::format("\n## {}\n\n", section.title);
    if (!section.intro.empty()) text += section.intro.substr(0, section.intro.size() - 1) + "\n\n";
    text += "| field | type | unit | default | range | help |\n|---|---|---|---|---|---|\n" +
            section.rows;
  }
  return text + "\n" + field_table() + "\n" + preset_table();
}

}  // namespace pliant
