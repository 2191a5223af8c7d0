#include "scene/reader.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "core/range.h"
#include "scene/outline.h"
#include "scene/words.h"

namespace pliant {
namespace {

constexpr int most_elements = 100'000;  // of one list: memory stays bounded by the file's size
constexpr std::size_t most_problems =
    100;  // nobody reads more, and a hostile file could have millions

std::string in_unit(const Range& range) {
  return *range.unit ? fmt::format(" in {}", range.unit) : "";
}

}  // namespace

Reader::Reader(Reading& reading, int value, std::string path, std::string thing)
    : reading_(reading), value_(value), path_(std::move(path)), thing_(std::move(thing)) {}

void Reader::read(const std::function<void(Fields&)>& describe) {
  const JsonDocument& json = reading_.json;
  if (json.is(value_, Kind::text)) {
    const Outline known = outline(describe);
    bare_ = known.shorthand;
    names_member_ = known.names_member;
    if (names_member_) {
      const std::string text(json.text(value_));
      if (std::find(known.fields.begin(), known.fields.end(), text) == known.fields.end()) {
        const std::string meant = nearest_word(text, known.fields);
        report(path_,
               fmt::format("is {}; it must be {}{}", quote(text), listed(known.fields, "or"),
                           meant.empty() ? "" : fmt::format("; did you mean {}?", quote(meant))));
        return;
      }
    }
  }
  if (!json.is(value_, Kind::object) && bare_.empty() && !names_member_) {
    const Outline known = outline(describe);
    const bool has_short_form = !known.shorthand.empty() || known.names_member;
    report(path_,
           fmt::format("is {}; it must be {}an object", json.shown(value_),
                       has_short_form ? "a text or " : ""),
           fmt::format("fields: {}", joined(known.fields, ", ")));
    return;
  }
  describe(*this);
  report_unknown_members();
}

// --- leaves ---

void Reader::numbers(const char* name, std::span<double> value, bool* present, const Range& range) {
  const int given = member(name, present, range.required, range.help);
  if (given < 0) return;
  const JsonDocument& json = reading_.json;
  const std::string path = path_of(name);
  if (value.size() == 1) {
    if (is_number(given, path, range)) value[0] = json.number(given);
    return;
  }
  if (!json.is(given, Kind::list) || json.count(given) != int(value.size())) {
    report(path,
           fmt::format("is {}; it must be a list of {} numbers{}", json.shown(given), value.size(),
                       in_unit(range)),
           range.help);
    return;
  }
  std::vector<double> read;
  for (int element = json.first(given); element >= 0; element = json.next(element)) {
    if (is_number(element, fmt::format("{}/{}", path, read.size()), range))
      read.push_back(json.number(element));
    else read.push_back(value[read.size()]);
  }
  std::copy(read.begin(), read.end(), value.begin());
}

void Reader::integer(const char* name, int& value, bool* present, const Range& range) {
  const int given = member(name, present, range.required, range.help);
  if (given < 0) return;
  const std::string path = path_of(name);
  const double number = reading_.json.number(given);
  if (!reading_.json.is(given, Kind::number) || number != std::floor(number)) {
    report(path,
           fmt::format("is {}; it must be a whole number{}", reading_.json.shown(given),
                       in_unit(range)),
           range.help);
    return;
  }
  Range fits = range;
  fits.at_least = std::max(range.at_least, double(std::numeric_limits<int>::min()));
  fits.at_most = std::min(range.at_most, double(std::numeric_limits<int>::max()));
  if (is_number(given, path, in_range(number, range) ? fits : range)) value = int(number);
}

void Reader::flag(const char* name, bool& value, const Note& note) {
  const int given = member(name, nullptr, note.required, note.help);
  if (given >= 0 && is_kind(given, path_of(name), Kind::boolean, "true or false", note.help))
    value = reading_.json.boolean(given);
}

void Reader::text(const char* name, std::string& value, bool* present, const Note& note) {
  const int given = member(name, present, note.required, note.help);
  if (given >= 0 && is_kind(given, path_of(name), Kind::text, "a text", note.help))
    value = reading_.json.text(given);
}

void Reader::file(const char* name, std::string& value, bool* present, const Note& note) {
  const int given = member(name, present, note.required, note.help);
  if (given < 0 ||
      !is_kind(given, path_of(name), Kind::text, "a text with the path of a file", note.help))
    return;
  value = reading_.json.text(given);
  const ResolvedPath found = resolve(reading_.source, value);
  if (!found.fine()) report(path_of(name), found.problem, found.hint);
}

void Reader::choice(const char* name, int& index, std::span<const char* const> names,
                    const Note& note) {
  const int given = member(name, nullptr, note.required, note.help);
  if (given < 0) return;
  const JsonDocument& json = reading_.json;
  std::vector<std::string> known;
  for (const char* one : names) known.push_back(quote(one));
  if (json.is(given, Kind::text))
    for (std::size_t i = 0; i < names.size(); ++i)
      if (json.text(given) == names[i]) {
        index = int(i);
        return;
      }
  const std::string found =
      json.is(given, Kind::text) ? quote(json.text(given)) : json.shown(given);
  report(path_of(name), fmt::format("is {}; it must be {}", found, listed(known, "or")), note.help);
}

// --- branches ---

void Reader::object(const char* name, bool* present, const Note& note,
                    const std::function<void(Fields&)>& describe) {
  const int given = member(name, present, note.required, note.help);
  if (given < 0) return;
  if (names_member_) return;  // "tets" = {"tets": {}}: nothing more to read
  Reader(reading_, given, path_of(name), fmt::format("\"{}\"", name)).read(describe);
}

void Reader::list(const char* name, Elements& elements, const Note& note) {
  const int given = member(name, nullptr, note.required, note.help);
  if (given < 0) return;
  const JsonDocument& json = reading_.json;
  const std::string path = path_of(name);
  if (!is_kind(given, path, Kind::list, "a list", note.help)) return;
  if (json.count(given) > most_elements) {
    report(path,
           fmt::format("has {} elements; at most {} are read", json.count(given), most_elements));
    return;
  }
  elements.give();
  const std::string thing = with_article(singular(name));
  int i = 0;
  for (int element = json.first(given); element >= 0 && has_room();
       element = json.next(element), ++i) {
    elements.grow("");
    Reader(reading_, element, fmt::format("{}/{}", path, i), thing).read([&](Fields& fields) {
      elements.describe(fields, i);
    });
  }
}

void Reader::map(const char* name, Elements& elements, const Note& note) {
  const int given = member(name, nullptr, note.required, note.help);
  if (given < 0) return;
  const JsonDocument& json = reading_.json;
  const std::string path = path_of(name);
  if (!is_kind(given, path, Kind::object, "an object", note.help)) return;
  if (json.count(given) > most_elements) {
    report(path,
           fmt::format("has {} members; at most {} are read", json.count(given), most_elements));
    return;
  }
  std::vector<std::pair<std::string, int>> members;  // by name: the order in the file says nothing
  for (int element = json.first(given); element >= 0; element = json.next(element))
    members.emplace_back(json.key(element), element);
  std::sort(members.begin(), members.end());
  const std::string thing = with_article(singular(name));
  for (std::size_t i = 0; i < members.size() && has_room(); ++i) {
    elements.grow(members[i].first);
    Reader(reading_, members[i].second, pointer(path, members[i].first), thing)
        .read([&](Fields& fields) { elements.describe(fields, int(i)); });
  }
}

// --- statements ---

void Reader::exactly_one(std::span<const char* const> names) {
  if (names_member_ || std::find(names.begin(), names.end(), bare_) != names.end()) return;
  if (given(names).empty()) {
    const std::vector<std::string> all(names.begin(), names.end());
    report(path_, names.size() == 1 ? fmt::format("has no {}", all[0])
                                    : fmt::format("has none of {}; it needs exactly one of them",
                                                  listed(all, "and")));
  }
  at_most_one(names);
}

void Reader::at_most_one(std::span<const char* const> names) {
  const std::vector<std::string> found = given(names);
  if (found.size() > 1)
    report(path_, fmt::format("has {}; only one of them can be meant", listed(found, "and")));
}

void Reader::check(bool fine, const char* field, const std::string& what) {
  if (fine) return;
  // Follow the document: where it holds a bare text, the problem is with that text and not with a
  // field of it.
  std::string path = path_;
  int value = value_;
  std::string_view rest = field ? field : "";
  while (!rest.empty()) {
    const JsonDocument& json = reading_.json;
    if (value >= 0 && json.is(value, Kind::text)) break;
    const std::size_t slash = std::min(rest.find('/'), rest.size());
    const std::string_view step = rest.substr(0, slash);
    rest.remove_prefix(std::min(slash + 1, rest.size()));
    path += '/';
    path += step;
    if (value < 0) continue;
    if (json.is(value, Kind::object)) {
      int child = json.first(value);  // steps are escaped, keys are not
      while (child >= 0 && pointer("", json.key(child)).substr(1) != step) child = json.next(child);
      value = child;
    } else if (json.is(value, Kind::list)) {
      value = json.first(value);
      for (int i = std::atoi(std::string(step).c_str()); i > 0 && value >= 0; --i)
        value = json.next(value);
    } else {
      value = -1;
    }
  }
  // A rule about a value that could not be read would only confuse.
  const auto below = reading_.bad.lower_bound(path + '/');
  if (reading_.bad.contains(path) ||
      (below != reading_.bad.end() && below->starts_with(path + '/')))
    return;
  report(path, what);
}

// --- helpers ---

int Reader::member(const char* name) {
  known_.push_back(name);
  if (names_member_) return reading_.json.text(value_) == name ? value_ : -1;
  if (!bare_.empty()) return bare_ == name ? value_ : -1;
  return reading_.json.member(value_, name);
}

int Reader::member(const char* name, bool* present, bool required, const char* help) {
  const int value = member(name);
  if (present) *present = value >= 0;
  if (value < 0 && required) report(pointer(path_, name), "is missing; it is required", help);
  return value;
}

std::string Reader::path_of(const char* name) const {
  return bare_.empty() && !names_member_ ? pointer(path_, name) : path_;
}

bool Reader::is_number(int value, const std::string& path, const Range& range) {
  const JsonDocument& json = reading_.json;
  if (!json.is(value, Kind::number)) {
    report(path, fmt::format("is {}; it must be a number{}", json.shown(value), in_unit(range)),
           range.help);
    return false;
  }
  if (in_range(json.number(value), range)) return true;
  const std::string unit = *range.unit ? fmt::format(" {}", range.unit) : "";
  report(path, fmt::format("is {}{}; it must be {}", json.shown(value), unit, allowed(range)),
         range.help);
  return false;
}

bool Reader::is_kind(int value, const std::string& path, Kind kind, const char* expected,
                     const char* help) {
  if (reading_.json.is(value, kind)) return true;
  report(path, fmt::format("is {}; it must be {}", reading_.json.shown(value), expected), help);
  return false;
}

bool Reader::has_room() { return reading_.problems.size() < most_problems; }

void Reader::report(const std::string& path, std::string what, std::string hint) {
  if (!has_room()) return;
  reading_.bad.insert(path);
  reading_.problems.push_back({reading_.source.file, path, std::move(what), std::move(hint)});
  if (!has_room())
    reading_.problems.push_back({reading_.source.file, "", "has more problems than these", ""});
}

void Reader::report_unknown_members() {
  const JsonDocument& json = reading_.json;
  if (!json.is(value_, Kind::object)) return;
  for (int value = json.first(value_); value >= 0 && has_room(); value = json.next(value)) {
    const std::string key(json.key(value));
    if (std::find(known_.begin(), known_.end(), key) != known_.end()) continue;
    if (path_.empty() && key == "$schema") continue;  // lets editors help while a scene is written
    const std::string meant = nearest_word(key, known_);
    ++reading_.unknown;
    report(pointer(path_, key),
           fmt::format("is not a field of {}{}", thing_,
                       meant.empty() ? "" : fmt::format("; did you mean {}?", quote(meant))),
           meant.empty() ? fmt::format("fields: {}", joined(known_, ", ")) : "");
  }
}

std::vector<std::string> Reader::given(std::span<const char* const> names) const {
  std::vector<std::string> found;
  for (const char* name : names)
    if (reading_.json.member(value_, name) >= 0) found.push_back(name);
  return found;
}

}  // namespace pliant
