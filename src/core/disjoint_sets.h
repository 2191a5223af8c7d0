#pragma once

#include <algorithm>
#include <atomic>
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

  /// The same by several threads at once, who see it when all have done so.
  void join_at_once(int a, int b) {
    while (true) {
      a = root_at_once(a);
      b = root_at_once(b);
      if (a == b) return;
      int last = std::max(a, b);  // until somebody else has joined it to another one
      if (parent(last).compare_exchange_strong(last, std::min(a, b), std::memory_order_relaxed))
        return;
    }
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
  std::atomic_ref<int> parent(int i) { return std::atomic_ref(parent_[i]); }

  /// Who is not a root stays none, and any ancestor does for a parent: so several threads may
  /// shorten the same way.
  int root_at_once(int i) {
    while (true) {
      const int above = parent(i).load(std::memory_order_relaxed);
      if (above == i) return i;
      const int next = parent(above).load(std::memory_order_relaxed);
      parent(i).store(next, std::memory_order_relaxed);
      i = next;
    }
  }

  std::vector<int> parent_;
};

}  // namespace pliant
