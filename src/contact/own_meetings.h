#pragma once

#include <cstdint>
#include <vector>

#include "contact/own_rest.h"

namespace pliant {

/// What of two leaves of a skin may ever touch, told by its shape at rest: found out once for each
/// two that are asked for, then looked up.
class OwnMeetings {
 public:
  static constexpr std::size_t none = std::size_t(-1);

  void clear();
  /// Where it is said, or none if nothing may.
  std::size_t find(const Skin& skin, const SkinShape& shape, const SkinTree& tree,
                   const OwnRest& rest, int leaf, int other);
  /// One byte tells whether any of their edges may cross; then follows one for each vertex of the
  /// first, with a bit for each triangle of the second, and the other way round.
  const std::uint8_t* at(std::size_t place) const { return &said_[place]; }

 private:
  struct Entry {
    std::uint64_t key = std::uint64_t(-1);  // of two leaves; this for an empty place
    std::size_t place = none;
  };
  Entry& entry(std::uint64_t key);
  void grow();
  std::size_t find_out(const Skin& skin, const SkinShape& shape, const SkinTree& tree,
                       const OwnRest& rest, int leaf, int other);

  // A table of its own: it is asked for ten thousands of pairs at a time, in no order.
  std::vector<Entry> table_;  // a power of two, at most half full
  std::size_t count_ = 0;
  std::vector<std::uint8_t> said_;
  std::vector<int> edges_, other_edges_;  // workspaces
};

}  // namespace pliant
