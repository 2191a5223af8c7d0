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
class ExclusionCache {
 public:
  void clear();
  /// The numbers of each two leaves, under which they are asked for below; each two once.
  void find(const Skin& skin, const SkinTree& tree, const RestExclusions& rest,
            std::span<const SelfTree::LeafPair> asked, std::vector<int>& numbers);
  /// One byte for each vertex of the first, with a bit for each triangle of the second that it may
  /// touch, then the other way round; null if none may.
  const std::uint8_t* touches(int number) const {
    const std::size_t masks = answers_[number].masks;
    return masks == none ? nullptr : &masks_[masks];
  }

  enum class Crossing : std::uint8_t { unknown, never, may };
  /// Whether any of their edges may cross.
  Crossing crossing(int number) const { return answers_[number].crossing; }
  /// Makes that known; of different pairs at once.
  void find_crossing(const Skin& skin, const SkinTopology& topology, const SkinTree& tree,
                     const RestExclusions& rest, const SelfTree::LeafPair& pair, int number);

 private:
  static constexpr std::size_t none = std::size_t(-1);
  struct LeafPairAnswer {
    std::size_t masks = none;  // where its bytes are
    Crossing crossing = Crossing::unknown;
  };
  struct TableEntry {
    std::uint64_t key = std::uint64_t(-1);  // of two leaves; this for an empty place
    int number = -1;                        // of their meeting
  };
  struct ComputedMasks {  // of some pairs, one after the other
    std::vector<std::uint8_t> masks;
    std::vector<std::size_t> end;
  };
  const TableEntry& entry(std::uint64_t key) const;
  void put(const TableEntry& known);
  void grow();
  static void compute_masks(const Skin& skin, const SkinTree& tree, const RestExclusions& rest,
                            const SelfTree::LeafPair& pair, ComputedMasks& found);

  // A table of its own: it is asked for ten thousands of pairs at a time, in no order.
  std::vector<TableEntry> table_;  // a power of two, at most half full
  std::vector<LeafPairAnswer> answers_;
  std::vector<std::uint8_t> masks_;

  // Workspaces.
  std::vector<int> unknown_;
  std::vector<ComputedMasks> found_;
};

}  // namespace pliant
