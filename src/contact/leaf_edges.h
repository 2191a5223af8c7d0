#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "contact/skin_shape.h"
#include "contact/skin_tree.h"

namespace pliant {

/// Some edges of a skin, leaf by leaf of its tree: each with its first triangle.
class LeafEdges {
 public:
  /// Those that count, which `counts(edge)` tells.
  template <class Counts>
  void take(const SkinShape& shape, const SkinTree& tree, const Counts& counts) {
    edges_.clear();
    start_.assign(1, 0);
    for (int leaf = 0; leaf < tree.leaves(); ++leaf) {
      shape.for_edges_of(tree.triangles(leaf), [&](int e) {
        if (counts(e)) edges_.push_back(e);
      });
      start_.push_back(int(edges_.size()));
    }
  }

  /// Of all, those that count.
  template <class Counts>
  void take(const LeafEdges& all, const Counts& counts) {
    edges_.clear();
    start_.assign(1, 0);
    for (int leaf = 0; leaf < all.leaves(); ++leaf) {
      for (const int e : all.of(leaf))
        if (counts(e)) edges_.push_back(e);
      start_.push_back(int(edges_.size()));
    }
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
  std::vector<int> edges_, start_;
};

}  // namespace pliant
