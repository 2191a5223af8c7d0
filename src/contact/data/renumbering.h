#pragma once

#include <utility>
#include <vector>

namespace pliant {

/// Where the things are now that had some places before, when some came and others went.
struct Renumbering {
  std::vector<int> place;  // old place -> new place; -1 = gone
  int count = 0;           // now

  /// What came since has the place that it has.
  int operator()(int old) const {
    if (old >= int(place.size())) return old < count ? old : -1;
    return old >= 0 ? place[std::size_t(old)] : -1;
  }
  /// Whether all are where they were; others may have come behind them.
  bool is_identity() const {
    for (int i = 0; i < int(place.size()); ++i)
      if (place[std::size_t(i)] != i) return false;
    return true;
  }
  /// Moves what is kept for each of them to its new place; what is new begins as Item().
  template <class Item>
  void apply(std::vector<Item>& items) const {
    std::vector<Item> moved(static_cast<std::size_t>(count));
    for (int i = 0; i < int(items.size()); ++i)
      if (const int to = (*this)(i); to >= 0)
        moved[std::size_t(to)] = std::move(items[std::size_t(i)]);
    items = std::move(moved);
  }
};

/// From the names that things had, in their order, to those of `items`. Things without a name keep
/// their places: nothing is known of them.
template <class Ids, class Items>
Renumbering renumbering(const Ids& before, const Items& items) {
  Renumbering result;
  result.count = int(items.size());
  for (int i = 0; i < int(before.size()); ++i) {
    int to = -1;
    if (!before[i]) to = i < result.count ? i : -1;
    else if (i < result.count && items[i].id == before[i]) to = i;
    else
      for (int k = 0; k < result.count && to < 0; ++k)
        if (items[k].id == before[i]) to = k;
    result.place.push_back(to);
  }
  return result;
}

}  // namespace pliant
