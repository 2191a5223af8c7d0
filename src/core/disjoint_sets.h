#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

namespace pliant {

/// Things 0 .. count-1 that are joined step by step. The root of a set is its first member, so that
/// numbers given by roots do not depend on the order of joining.
class DisjointSets {
 public:
  explicit DisjointSets(int count = 0) { reset(count); }

  void reset(int count) {
    parent_.resize(std::size_t(count));
    std::iota(parent_.begin(), parent_.end(), 0);
  }

  int root(int i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }

  /// Returns the root of both.
  int join(int a, int b) {
    a = root(a);
    b = root(b);
    return parent_[std::max(a, b)] = std::min(a, b);
  }

  /// Per thing: the number of its set, counted from 0 by the sets' first members.
  std::vector<int> numbers() {
    std::vector<int> number(parent_.size());
    int count = 0;
    for (int i = 0; i < int(parent_.size()); ++i)
      number[i] = root(i) == i ? count++ : number[root(i)];
    return number;
  }

 private:
  std::vector<int> parent_;
};

}  // namespace pliant
