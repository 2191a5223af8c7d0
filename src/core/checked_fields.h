#pragma once

#include <string>
#include <vector>

#include "core/errors.h"
#include "core/fields.h"

namespace pliant {

/// A walk over settings that a program has set by itself: nothing is read, and what is out of the
/// range that its description allows becomes a problem, as it would in a file.
class CheckedFields : public Fields {
 public:
  /// Appends what is wrong with a value. Problems are told at `path`, such as "/material".
  template <class T>
  static void look(T& value, const std::string& path, std::vector<Problem>& problems) {
    CheckedFields fields(problems, path);
    detail::describe_value(fields, value);
    fields.look_at_choices();
  }

  void numbers(const char* name, std::span<double> value, bool* present, const Range&) override;
  void integer(const char* name, int& value, bool* present, const Range&) override;
  void flag(const char*, bool&, const Note&) override {}
  void text(const char*, std::string&, bool*, const Note&) override {}
  void file(const char*, std::string&, bool*, const Note&) override {}
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
  CheckedFields(std::vector<Problem>& problems, std::string path)
      : problems_(problems), path_(std::move(path)) {}
  /// Last: a description may speak of fields before it names them.
  void look_at_choices();
  void add(const std::string& where, std::string what, const char* hint = "");

  std::vector<Problem>& problems_;
  std::string path_;
  struct OneOf {
    std::vector<std::string> names;
    int least;
  };
  std::vector<OneOf> one_of_;
  std::vector<std::string> given_;  // optional fields that have a value
};

}  // namespace pliant
