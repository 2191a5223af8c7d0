#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "contact/surface/skin_topology.h"
#include "contact/surface/skin_tree.h"

namespace pliant {

/// Some edges of a skin, leaf by leaf of its tree: each with its first triangle.
class LeafEdges {
 public:
  /// Those that count, which `counts(edge)` tells.
  template <class Counts>
  void take(const SkinTopology& topology, const SkinTree& tree, const Counts& counts) {
    fill(tree.leaves(), counts,
         [&](int leaf, const auto& see) { topology.for_edges_of(tree.triangles(leaf), see); });
  }
  /// Of others, those that count.
  template <class Counts>
  void take(const LeafEdges& others, const Counts& counts) {
    fill(others.leaves(), counts, [&](int leaf, const auto& see) {
      for (const int e : others.of(leaf)) see(e);
    });
  }

  int leaves() const { return std::max(0, int(start_.size()) - 1); }
  std::span<const int> of(int leaf) const {
    return {edges_.data() + start_[leaf], std::size_t(start_[leaf + 1] - start_[leaf])};
  }
  bool is_same(int leaf, const LeafEdges& other) const {
    const std::span<const int> here = of(leaf), there = other.of(leaf);
    return std::equal(here.begin(), here.end(), there.begin(), there.end());
  }

 private:
  template <class Counts, class Walk>
  void fill(int leaves, const Counts& counts, const Walk& walk) {
    edges_.clear();
    start_.assign(1, 0);
    for (int leaf = 0; leaf < leaves; ++leaf) {
      walk(leaf, [&](int e) {
        if (counts(e)) edges_.push_back(e);
      });
      start_.push_back(int(edges_.size()));
    }
  }

  std::vector<int> edges_, start_;
};

}  // namespace pliant
