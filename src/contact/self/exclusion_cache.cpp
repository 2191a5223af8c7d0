#include "contact/self/exclusion_cache.h"

#include <utility>

#include "core/parallel.h"

namespace pliant {

void OwnMeetings::clear() {
  table_.clear();
  meetings_.clear();
  said_.clear();
}

/// The place of a key, or the empty one where it belongs.
const OwnMeetings::Entry& OwnMeetings::entry(std::uint64_t key) const {
  const std::size_t mask = table_.size() - 1;
  constexpr std::uint64_t golden = 0x9e3779b97f4a7c15;  // spreads neighbours over the table
  std::size_t k = std::size_t((key * golden) >> 20) & mask;
  while (table_[k].key != key && table_[k].key != Entry().key) k = (k + 1) & mask;
  return table_[k];
}

void OwnMeetings::put(const Entry& known) {
  table_[std::size_t(&entry(known.key) - table_.data())] = known;
}

void OwnMeetings::grow() {
  constexpr std::size_t fewest = 1024;
  std::vector<Entry> old(std::max(fewest, 2 * table_.size()));
  std::swap(old, table_);
  for (const Entry& known : old)
    if (known.key != Entry().key) put(known);
}

void OwnMeetings::find(const Skin& skin, const SkinTree& tree, const OwnRest& rest,
                       std::span<const OwnTree::Pair> asked, std::vector<int>& numbers) {
  const auto key = [&](const OwnTree::Pair& pair) {
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
    Found& found = found_[begin / grain];
    found.said.clear();
    found.end.clear();
    for (int k = begin; k < end; ++k) find_out(skin, tree, rest, asked[unknown_[k]], found);
  });
  for (int k = 0; k < count; ++k) {
    const Found& found = found_[k / grain];
    const std::size_t begin = k % grain == 0 ? 0 : found.end[k % grain - 1];
    const std::size_t end = found.end[k % grain];
    const int number = numbers[unknown_[k]] = int(meetings_.size());
    meetings_.push_back({begin == end ? none : said_.size(), Crossing::unknown});
    said_.insert(said_.end(), found.said.begin() + std::ptrdiff_t(begin),
                 found.said.begin() + std::ptrdiff_t(end));
    if (2 * meetings_.size() > table_.size()) grow();
    put({key(asked[unknown_[k]]), number});
  }
}

/// Appends what is to be said of the vertices of two leaves: nothing if none may touch.
void OwnMeetings::find_out(const Skin& skin, const SkinTree& tree, const OwnRest& rest,
                           const OwnTree::Pair& pair, Found& found) {
  std::vector<std::uint8_t>& said = found.said;
  const std::size_t start = said.size();
  bool any = false;
  for (const auto& [a, b] : {std::pair(pair.a, pair.b), std::pair(pair.b, pair.a)})
    for (const int v : tree.vertices(a)) {
      unsigned bits = 0, bit = 1;
      for (const int t : tree.triangles(b)) {
        if (rest.may_touch(skin, v, t)) bits |= bit;
        bit <<= 1;
      }
      said.push_back(std::uint8_t(bits));
      any = any || bits != 0;
    }
  if (!any) said.resize(start);
  found.end.push_back(said.size());
}

void OwnMeetings::find_crossing(const Skin& skin, const SkinShape& shape, const SkinTree& tree,
                                const OwnRest& rest, const OwnTree::Pair& pair, int number) {
  bool any = false;
  shape.for_edges_of(tree.triangles(pair.a), [&](int e) {
    shape.for_edges_of(tree.triangles(pair.b),
                       [&](int f) { any = any || (e != f && rest.may_cross(skin, shape, e, f)); });
  });
  meetings_[number].crossing = any ? Crossing::may : Crossing::never;
}

}  // namespace pliant
