#pragma once

#include <set>
#include <string>
#include <vector>

#include "core/fields.h"
#include "scene/json.h"
#include "scene/paths.h"

namespace pliant {

/// What all readers of one scene share.
struct Reading {
  const JsonDocument& json;
  const SceneSource& source;
  std::vector<Problem> problems;
  std::set<std::string> bad;  // paths with a problem: rules about these values are not checked
  std::size_t unknown = 0;    // problems that are fields nobody knows: all else may still be right
};

/// A walk over a description that fills it from one JSON value and collects what is wrong.
class Reader : public Fields {
 public:
  /// `thing` is how messages call the object: "a body".
  Reader(Reading& reading, int value, std::string path, std::string thing);

  /// Walks `describe` over the value; afterwards every member nobody asked for is a problem.
  void read(const std::function<void(Fields&)>& describe);

  void numbers(const char* name, std::span<double> value, bool* present, const Range&) override;
  void integer(const char* name, int& value, bool* present, const Range&) override;
  void flag(const char* name, bool& value, const Note&) override;
  void text(const char* name, std::string& value, bool* present, const Note&) override;
  void file(const char* name, std::string& value, bool* present, const Note&) override;
  void choice(const char* name, int& index, std::span<const char* const> names,
              const Note&) override;
  void object(const char* name, bool* present, const Note&,
              const std::function<void(Fields&)>& describe) override;
  void list(const char* name, Elements& elements, const Note&) override;
  void map(const char* name, Elements& elements, const Note&) override;
  void shorthand(const char*) override {}
  void shorthand_names_member() override {}
  void exactly_one(std::span<const char* const> names) override;
  void at_most_one(std::span<const char* const> names) override;
  void check(bool fine, const char* field, const std::string& what) override;

 private:
  using Kind = JsonDocument::Kind;

  int member(const char* name);  // -1 = left out
  int member(const char* name, bool* present, bool required, const char* help);
  std::string path_of(const char* name) const;
  bool is_number(int value, const std::string& path, const Range& range);
  bool is_kind(int value, const std::string& path, Kind kind, const char* expected,
               const char* help);
  bool has_room();
  void report(const std::string& path, std::string what, std::string hint = "");
  void report_unknown_members();
  std::vector<std::string> given(std::span<const char* const> names) const;

  Reading& reading_;
  int value_;
  std::string path_;
  std::string thing_;
  std::vector<std::string> known_;  // names of fields so far
  std::string bare_;                // the value is a text that means this field alone
  bool names_member_ = false;       // ... or that names a member, which is then empty
};

}  // namespace pliant
