#pragma once

#include <cstdint>
#include <vector>

namespace pliant::cut {

/// From pairs of numbers >= 0 to numbers, by open addressing: edges are looked up several times per
/// corner of the cut surface, and most of the time would go into a map of the standard library.
class PairMap {
 public:
  /// The pair's value, to read or set; -1 while it has none. Valid until the next call.
  int& at(int first, int second) {
    if (2 * (used_.size() + 1) > slots_.size()) grow();
    const std::uint64_t key = std::uint64_t(first) << 32 | std::uint32_t(second);
    std::size_t place = hash(key);
    while (slots_[place].key != none && slots_[place].key != key)
      place = (place + 1) & (slots_.size() - 1);
    if (slots_[place].key == none) {
      slots_[place] = {key, -1};
      used_.push_back(place);
    }
    return slots_[place].value;
  }

  /// The pair's value; -1 where it has none.
  int find(int first, int second) const {
    if (slots_.empty()) return -1;
    const std::uint64_t key = std::uint64_t(first) << 32 | std::uint32_t(second);
    std::size_t place = hash(key);
    while (slots_[place].key != none && slots_[place].key != key)
      place = (place + 1) & (slots_.size() - 1);
    return slots_[place].key == none ? -1 : slots_[place].value;
  }

  int size() const { return int(used_.size()); }

  /// Takes time by what was in it, not by what could be.
  void clear() {
    for (const std::size_t place : used_) slots_[place].key = none;
    used_.clear();
  }

 private:
  static constexpr std::uint64_t none = ~std::uint64_t(0);
  struct Slot {
    std::uint64_t key = none;
    int value = -1;
  };

  std::size_t hash(std::uint64_t key) const {
    return std::size_t((key ^ key >> 29) * 0x9E3779B97F4A7C15ull >> 32) & (slots_.size() - 1);
  }

  void grow() {
    std::vector<Slot> old(slots_.empty() ? 64 : 2 * slots_.size());
    old.swap(slots_);
    used_.clear();
    for (const Slot& slot : old)
      if (slot.key != none) at(int(slot.key >> 32), int(slot.key & 0xFFFFFFFFu)) = slot.value;
  }

  std::vector<Slot> slots_;
  std::vector<std::size_t> used_;
};

}  // namespace pliant::cut
