#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "contact/own_rest.h"
#include "contact/own_tree.h"

namespace pliant {

/// What of two leaves of a skin may ever touch, told by its shape at rest: found out once for each
/// two that are asked for, then looked up.
class OwnMeetings {
 public:
  static constexpr std::size_t none = std::size_t(-1);

  void clear();
  /// Where it is said of each two leaves, or none if nothing may; each two are asked for once.
  void find(const Skin& skin, const SkinShape& shape, const SkinTree& tree, const OwnRest& rest,
            std::span<const OwnTree::Pair> asked, std::vector<std::size_t>& places);
  /// One byte tells whether any of their edges may cross; then follows one for each vertex of the
  /// first, with a bit for each triangle of the second, and the other way round.
  const std::uint8_t* at(std::size_t place) const { return &said_[place]; }

 private:
  struct Entry {
    std::uint64_t key = std::uint64_t(-1);  // of two leaves; this for an empty place
    std::size_t place = none;
  };
  struct Found {  // of some pairs, one after the other
    std::vector<std::uint8_t> said;
    std::vector<std::size_t> end;
    std::vector<int> edges, other_edges;  // workspaces
  };
  const Entry& entry(std::uint64_t key) const;
  void put(const Entry& known);
  void grow();
  static void find_out(const Skin& skin, const SkinShape& shape, const SkinTree& tree,
                       const OwnRest& rest, const OwnTree::Pair& pair, Found& found);

  // A table of its own: it is asked for ten thousands of pairs at a time, in no order.
  std::vector<Entry> table_;  // a power of two, at most half full
  std::size_t count_ = 0;
  std::vector<std::uint8_t> said_;

  // Workspaces.
  std::vector<int> unknown_;
  std::vector<Found> found_;
};

}  // namespace pliant
