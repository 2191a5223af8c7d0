#include "contact/own_meetings.h"

#include <utility>

namespace pliant {

void OwnMeetings::clear() {
  table_.clear();
  said_.clear();
  count_ = 0;
}

/// The place of a key, or the empty one where it belongs.
OwnMeetings::Entry& OwnMeetings::entry(std::uint64_t key) {
  const std::size_t mask = table_.size() - 1;
  constexpr std::uint64_t golden = 0x9e3779b97f4a7c15;  // spreads neighbours over the table
  std::size_t k = std::size_t((key * golden) >> 20) & mask;
  while (table_[k].key != key && table_[k].key != Entry().key) k = (k + 1) & mask;
  return table_[k];
}

void OwnMeetings::grow() {
  constexpr std::size_t fewest = 1024;
  std::vector<Entry> old(std::max(fewest, 2 * table_.size()));
  std::swap(old, table_);
  for (const Entry& known : old)
    if (known.key != Entry().key) entry(known.key) = known;
}

std::size_t OwnMeetings::find(const Skin& skin, const SkinShape& shape, const SkinTree& tree,
                              const OwnRest& rest, int leaf, int other) {
  if (2 * count_ >= table_.size()) grow();
  const auto key = std::uint64_t(leaf) * std::uint64_t(tree.leaves()) + std::uint64_t(other);
  Entry& here = entry(key);
  if (here.key == key) return here.place;
  ++count_;
  here = {key, find_out(skin, shape, tree, rest, leaf, other)};
  return here.place;
}

std::size_t OwnMeetings::find_out(const Skin& skin, const SkinShape& shape, const SkinTree& tree,
                                  const OwnRest& rest, int leaf, int other) {
  const std::size_t start = said_.size();
  const auto take_edges = [&](int of, std::vector<int>& edges) {
    edges.clear();
    shape.for_edges_of(tree.triangles(of), [&](int e) { edges.push_back(e); });
  };
  take_edges(leaf, edges_);
  take_edges(other, other_edges_);
  const auto edges_may = [&] {
    for (const int e : edges_)
      for (const int f : other_edges_)
        if (e != f && rest.may_cross(skin, shape, e, f)) return true;
    return false;
  };
  bool any = edges_may();
  said_.push_back(any);
  for (const auto& [a, b] : {std::pair(leaf, other), std::pair(other, leaf)})
    for (const int v : tree.vertices(a)) {
      unsigned bits = 0, bit = 1;
      for (const int t : tree.triangles(b)) {
        if (rest.may_touch(skin, v, t)) bits |= bit;
        bit <<= 1;
      }
      said_.push_back(std::uint8_t(bits));
      any = any || bits != 0;
    }
  if (any) return start;
  said_.resize(start);
  return none;
}

}  // namespace pliant
