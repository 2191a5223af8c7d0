#pragma once

#include <compare>
#include <vector>

#include "core/assert.h"

namespace pliant {

/// Names one Thing for as long as it lives: a place in a table of ids, and how often that place was
/// used before, so that a name is never given twice.
template <class Thing>
struct Id {
  int index = -1;  // below 0: no name
  int generation = 0;

  auto operator<=>(const Id&) const = default;
  explicit operator bool() const { return index >= 0; }
};

/// Gives names and takes them back.
template <class Thing>
class IdTable {
 public:
  Id<Thing> issue() {
    if (free_.empty()) {
      places_.push_back({0, true});
      return {int(places_.size()) - 1, 0};
    }
    const int index = free_.back();
    free_.pop_back();
    places_[index].lives = true;
    return {index, places_[index].generation};
  }
  bool lives(const Id<Thing>& id) const {
    return id.index >= 0 && id.index < int(places_.size()) && places_[id.index].lives &&
           places_[id.index].generation == id.generation;
  }
  void release(const Id<Thing>& id) {
    ASSERT(lives(id), "only a name that was given can be taken back");
    places_[id.index].lives = false;
    ++places_[id.index].generation;
    free_.push_back(id.index);
  }

  /// Every item gets a name of this table of its own, if it has none; names that no item has are
  /// taken back. Items were added, removed and copied at will since the last call.
  template <class Items>
  void update(Items& items) {
    seen_.assign(places_.size(), 0);
    for (auto& item : items) {
      const bool known = lives(item.id) && !seen_[item.id.index];
      if (known) seen_[item.id.index] = 1;
      else item.id = {};
    }
    for (int index = 0; index < int(seen_.size()); ++index)
      if (places_[index].lives && !seen_[index]) release({index, places_[index].generation});
    for (auto& item : items)
      if (!item.id) item.id = issue();
  }

  /// Names that are given at present.
  int count() const { return int(places_.size() - free_.size()); }

 private:
  struct Place {
    int generation = 0;
    bool lives = false;
  };
  std::vector<Place> places_;
  std::vector<int> free_;
  std::vector<char> seen_;  // workspace
};

/// The place of an item among others, by its name; -1 where it is not.
template <class Items, class Thing>
int place_of(const Items& items, const Id<Thing>& id) {
  if (!id) return -1;
  for (int i = 0; i < int(items.size()); ++i)
    if (items[i].id == id) return i;
  return -1;
}

}  // namespace pliant
