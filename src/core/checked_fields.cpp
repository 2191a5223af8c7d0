#include "core/checked_fields.h"

#include <algorithm>

#include "core/formatted.h"
#include "core/range.h"

namespace pliant {
void CheckedFields::add(const std::string& where, std::string what, const char* hint) {
  problems_.push_back({"", where, std::move(what), hint});
}

void CheckedFields::numbers(const char* name, std::span<double> value, bool* present,
                            const Range& range) {
  if (present && !*present) return;
  if (present) given_.push_back(name);
  for (const double number : value) {
    const bool is_finite = number - number == 0;
    if (is_finite && in_range(number, range)) continue;
    const std::string rule = is_finite ? allowed(range) : "a finite number";
    add(path_ + '/' + name, formatted("is %g; it must be ", number) + rule, range.help);
  }
}

void CheckedFields::integer(const char* name, int& value, bool* present, const Range& range) {
  double number = value;
  numbers(name, {&number, 1}, present, range);
}

void CheckedFields::choice(const char* name, int& index, std::span<const char* const> names,
                           const Note& note) {
  if (index < 0 || index >= int(names.size()))
    add(path_ + '/' + name, "is none of its " + std::to_string(names.size()) + " choices",
        note.help);
}

void CheckedFields::object(const char* name, bool* present, const Note&,
                           const std::function<void(Fields&)>& describe) {
  if (present && !*present) return;
  if (present) given_.push_back(name);
  CheckedFields inner(problems_, path_ + '/' + name);
  describe(inner);
  inner.look_at_choices();
}

void CheckedFields::list(const char* name, Elements& elements, const Note&) {
  for (int i = 0; i < elements.size(); ++i) {
    CheckedFields inner(problems_, path_ + '/' + name + '/' + elements.key(i));
    elements.describe(inner, i);
    inner.look_at_choices();
  }
}

void CheckedFields::map(const char* name, Elements& elements, const Note& note) {
  list(name, elements, note);
}

void CheckedFields::exactly_one(std::span<const char* const> names) {
  one_of_.push_back({{names.begin(), names.end()}, 1});
}

void CheckedFields::at_most_one(std::span<const char* const> names) {
  one_of_.push_back({{names.begin(), names.end()}, 0});
}

void CheckedFields::look_at_choices() {
  for (const OneOf& rule : one_of_) {
    std::string list;
    int count = 0;
    for (const std::string& name : rule.names) {
      list += (list.empty() ? "" : ", ") + name;
      count += int(std::count(given_.begin(), given_.end(), name));
    }
    if (count > 1 || count < rule.least)
      add(path_, (rule.least == 1 ? "needs exactly one of " : "takes at most one of ") + list);
  }
}

void CheckedFields::check(bool fine, const char* field, const std::string& what) {
  if (!fine) add(path_ + '/' + field, what);
}

}  // namespace pliant
