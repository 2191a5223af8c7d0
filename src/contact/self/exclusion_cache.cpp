#include "contact/self/exclusion_cache.h"

#include <utility>

#include "core/parallel.h"

namespace pliant {

void ExclusionCache::clear() {
  table_.clear();
  answers_.clear();
  masks_.clear();
}

/// The place of a key, or the empty one where it belongs.
const ExclusionCache::TableEntry& ExclusionCache::entry(std::uint64_t key) const {
  const std::size_t mask = table_.size() - 1;
  constexpr std::uint64_t golden = 0x9e3779b97f4a7c15;  // spreads neighbours over the table
  std::size_t k = std::size_t((key * golden) >> 20) & mask;
  while (table_[k].key != key && table_[k].key != TableEntry().key) k = (k + 1) & mask;
  return table_[k];
}

void ExclusionCache::put(const TableEntry& known) {
  table_[std::size_t(&entry(known.key) - table_.data())] = known;
}

void ExclusionCache::grow() {
  constexpr std::size_t fewest = 1024;
  std::vector<TableEntry> old(std::max(fewest, 2 * table_.size()));
  std::swap(old, table_);
  for (const TableEntry& known : old)
    if (known.key != TableEntry().key) put(known);
}

void ExclusionCache::find(const Skin& skin, const SkinTree& tree, const RestExclusions& rest,
                          std::span<const SelfTree::LeafPair> asked, std::vector<int>& numbers) {
  const auto key = [&](const SelfTree::LeafPair& pair) {
    return std::uint64_t(pair.a) * std::uint64_t(tree.leaves()) + std::uint64_t(pair.b);
  };
  if (table_.empty()) grow();
  numbers.resize(asked.size());
  parallel_for(int(asked.size()), 1024, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) numbers[i] = entry(key(asked[i])).number;
  });
  unknown_.clear();
  for (int i = 0; i < int(numbers.size()); ++i)
    if (numbers[i] < 0) unknown_.push_back(i);

  constexpr int grain = 64;
  const int count = int(unknown_.size()), chunks = (count + grain - 1) / grain;
  if (int(found_.size()) < chunks) found_.resize(std::size_t(chunks));
  parallel_for(count, grain, [&](int begin, int end) {
    ComputedMasks& found = found_[begin / grain];
    found.masks.clear();
    found.end.clear();
    for (int k = begin; k < end; ++k) compute_masks(skin, tree, rest, asked[unknown_[k]], found);
  });
  for (int k = 0; k < count; ++k) {
    const ComputedMasks& found = found_[k / grain];
    const std::size_t begin = k % grain == 0 ? 0 : found.end[k % grain - 1];
    const std::size_t end = found.end[k % grain];
    const int number = numbers[unknown_[k]] = int(answers_.size());
    answers_.push_back({begin == end ? none : masks_.size(), Crossing::unknown});
    masks_.insert(masks_.end(), found.masks.begin() + std::ptrdiff_t(begin),
                  found.masks.begin() + std::ptrdiff_t(end));
    if (2 * answers_.size() > table_.size()) grow();
    put({key(asked[unknown_[k]]), number});
  }
}

/// Appends what is to be masks of the vertices of two leaves: nothing if none may touch.
void ExclusionCache::compute_masks(const Skin& skin, const SkinTree& tree,
                                   const RestExclusions& rest, const SelfTree::LeafPair& pair,
                                   ComputedMasks& found) {
  std::vector<std::uint8_t>& masks = found.masks;
  const std::size_t start = masks.size();
  bool any = false;
  for (const auto& [a, b] : {std::pair(pair.a, pair.b), std::pair(pair.b, pair.a)})
    for (const int v : tree.vertices(a)) {
      unsigned bits = 0, bit = 1;
      for (const int t : tree.triangles(b)) {
        if (rest.may_touch(skin, v, t)) bits |= bit;
        bit <<= 1;
      }
      masks.push_back(std::uint8_t(bits));
      any = any || bits != 0;
    }
  if (!any) masks.resize(start);
  found.end.push_back(masks.size());
}

void ExclusionCache::find_crossing(const Skin& skin, const SkinTopology& topology,
                                   const SkinTree& tree, const RestExclusions& rest,
                                   const SelfTree::LeafPair& pair, int number) {
  bool any = false;
  topology.for_edges_of(tree.triangles(pair.a), [&](int e) {
    topology.for_edges_of(tree.triangles(pair.b), [&](int f) {
      any = any || (e != f && rest.may_cross(skin, topology, e, f));
    });
  });
  answers_[number].crossing = any ? Crossing::may : Crossing::never;
}

}  // namespace pliant
