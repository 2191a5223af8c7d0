#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "contact/self/rest_exclusions.h"
#include "contact/self/self_tree.h"

namespace pliant {

/// What of two leaves of a skin may ever touch, told by its shape at rest: found out once for each
/// two that are asked for, then looked up. Of edges only where that is asked for too: most leaves
/// have none that is sharp.
class OwnMeetings {
 public:
  void clear();
  /// The numbers of each two leaves, under which they are asked for below; each two once.
  void find(const Skin& skin, const SkinTree& tree, const OwnRest& rest,
            std::span<const OwnTree::Pair> asked, std::vector<int>& numbers);
  /// One byte for each vertex of the first, with a bit for each triangle of the second that it may
  /// touch, then the other way round; null if none may.
  const std::uint8_t* touches(int number) const {
    const std::size_t said = meetings_[number].said;
    return said == none ? nullptr : &said_[said];
  }

  enum class Crossing : std::uint8_t { unknown, never, may };
  /// Whether any of their edges may cross.
  Crossing crossing(int number) const { return meetings_[number].crossing; }
  /// Makes that known; of different pairs at once.
  void find_crossing(const Skin& skin, const SkinShape& shape, const SkinTree& tree,
                     const OwnRest& rest, const OwnTree::Pair& pair, int number);

 private:
  static constexpr std::size_t none = std::size_t(-1);
  struct Meeting {
    std::size_t said = none;  // where its bytes are
    Crossing crossing = Crossing::unknown;
  };
  struct Entry {
    std::uint64_t key = std::uint64_t(-1);  // of two leaves; this for an empty place
    int number = -1;                        // of their meeting
  };
  struct Found {  // of some pairs, one after the other
    std::vector<std::uint8_t> said;
    std::vector<std::size_t> end;
  };
  const Entry& entry(std::uint64_t key) const;
  void put(const Entry& known);
  void grow();
  static void find_out(const Skin& skin, const SkinTree& tree, const OwnRest& rest,
                       const OwnTree::Pair& pair, Found& found);

  // A table of its own: it is asked for ten thousands of pairs at a time, in no order.
  std::vector<Entry> table_;  // a power of two, at most half full
  std::vector<Meeting> meetings_;
  std::vector<std::uint8_t> said_;

  // Workspaces.
  std::vector<int> unknown_;
  std::vector<Found> found_;
};

}  // namespace pliant
