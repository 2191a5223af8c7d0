#include "formats/problems.h"

#include <algorithm>
#include <fmt/format.h>

namespace pliant {
namespace {

constexpr std::size_t shown = 20;

}  // namespace

std::string to_string(const Place& place) {
  const bool whole = *place.inside == 0;
  return fmt::format("{} {}{}{}", place.unit, place.at, whole ? "" : " of ", place.inside);
}

void Problems::add(std::int64_t place, std::string where, std::string what, std::string hint) {
  ++count_;
  entries_.push_back({place, {file_, std::move(where), std::move(what), std::move(hint)}});
  // Readers pass over a file more than once, so a later problem may belong before an earlier one.
  if (entries_.size() >= 2 * shown) keep_first();
}

void Problems::add(const Place& place, std::string what, std::string hint) {
  add(place.at, to_string(place), std::move(what), std::move(hint));
}

void Problems::add_line(std::int64_t line, std::string what, std::string hint) {
  add(line, fmt::format("line {}", line), std::move(what), std::move(hint));
}

void Problems::keep_first() {
  std::stable_sort(entries_.begin(), entries_.end(),
                   [](const Entry& a, const Entry& b) { return a.place < b.place; });
  if (entries_.size() > shown) entries_.resize(shown);
}

void Problems::throw_if_any() {
  if (count_ == 0) return;
  keep_first();
  std::vector<Problem> problems;
  for (Entry& entry : entries_) problems.push_back(std::move(entry.problem));
  const std::int64_t more = count_ - std::int64_t(problems.size());
  if (more > 0)
    problems.push_back(
        {file_, "", fmt::format("and {} more problem{}", more, more == 1 ? "" : "s"), ""});
  throw InputError(std::move(problems));
}

void warn(std::vector<std::string>* warnings, const std::string& file, const std::string& text) {
  if (warnings) warnings->push_back(file + ": " + text);
}

}  // namespace pliant
