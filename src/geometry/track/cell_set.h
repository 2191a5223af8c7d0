#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "geometry/track/lattice.h"

namespace pliant::track {

/// Some cells of a lattice, each named by the number of its lowest node. Cells at the lattice's
/// border are never in it: nothing of a surface lies there.
class CellSet {
 public:
  explicit CellSet(const Lattice& lattice) : lattice_(&lattice), is_(lattice.nodes(), 0) {}

  bool has(std::size_t cell) const { return is_[cell] != 0; }
  bool empty() const { return cells_.empty(); }
  const std::vector<std::size_t>& cells() const { return cells_; }  // sorted by sort()

  void add(const Lattice::Node& n) {
    for (int a = 0; a < 3; ++a)
      if (n[a] <= lattice_->low[a] || n[a] >= lattice_->low[a] + lattice_->count[a] - 2) return;
    std::uint8_t& is = is_[lattice_->number(n)];
    if (!is) cells_.push_back(lattice_->number(n));
    is = 1;
  }
  void add_cube(const Lattice::Node& n, int from, int to) {
    for (int z = from; z <= to; ++z)
      for (int y = from; y <= to; ++y)
        for (int x = from; x <= to; ++x) add({n[0] + x, n[1] + y, n[2] + z});
  }
  /// The eight cells at a node.
  void add_around(const Lattice::Node& n) { add_cube(n, -1, 0); }
  void add_at(const Vec3& place) {
    add({int(std::floor(place[0])), int(std::floor(place[1])), int(std::floor(place[2]))});
  }
  /// Every cell's 26 neighbours.
  void dilate() {
    for (std::size_t i = 0, count = cells_.size(); i < count; ++i)
      add_cube(lattice_->node(cells_[i]), -1, 1);
  }
  void add_all() {
    for (std::size_t n = 0; n < is_.size(); ++n) add(lattice_->node(n));
  }
  void sort() { std::sort(cells_.begin(), cells_.end()); }

 private:
  const Lattice* lattice_;
  std::vector<std::uint8_t> is_;
  std::vector<std::size_t> cells_;
};

}  // namespace pliant::track
