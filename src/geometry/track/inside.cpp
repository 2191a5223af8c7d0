#include "geometry/track/inside.h"

#include <algorithm>
#include <cstdlib>

namespace pliant::track {

int Inside::piece_at(const Vec3& p) const {
  for (const Lattice& lattice : lattices_) {
    const Lattice::Node n = lattice.nearest(p);
    if (!lattice.has(n)) continue;
    const int piece = lattice.piece_at(lattice.number(n));
    if (piece >= 0) return piece;
  }
  return -1;
}

bool Inside::near(const Vec3& p, double by) const {
  if (contains(p)) return true;
  for (int axis = 0; axis < 3; ++axis)
    for (const double sign : {-1.0, 1.0}) {
      Vec3 q = p;
      q[axis] += sign * by;
      if (contains(q)) return true;
    }
  return false;
}

void Inside::walk_from(const Vec3& start, int most, Walk& walk) const {
  walk.lattice_ = nullptr;
  for (const Lattice& lattice : lattices_) {
    const Lattice::Node n = lattice.nearest(start);
    if (!lattice.has(n) || !lattice.inside[lattice.number(n)]) continue;
    walk.lattice_ = &lattice;
    walk.start_ = n;
    break;
  }
  if (!walk.lattice_) return;
  const Lattice& lattice = *walk.lattice_;
  for (int a = 0; a < 3; ++a) {
    walk.low_[a] = std::max(walk.start_[a] - most, lattice.low[a]);
    walk.count_[a] =
        std::min(walk.start_[a] + most + 1, lattice.low[a] + lattice.count[a]) - walk.low_[a];
  }
  const auto& [nx, ny, nz] = walk.count_;
  const auto place = [&](const Lattice::Node& n) {
    return ((n[2] - walk.low_[2]) * ny + (n[1] - walk.low_[1])) * nx + (n[0] - walk.low_[0]);
  };
  walk.steps_.assign(std::size_t(nx) * ny * nz, -1);
  walk.steps_[place(walk.start_)] = 0;
  walk.front_ = {place(walk.start_)};
  for (int depth = 1; depth <= most && !walk.front_.empty(); ++depth) {
    walk.next_.clear();
    for (const int from : walk.front_) {
      const Lattice::Node n = {from % nx + walk.low_[0], from / nx % ny + walk.low_[1],
                               from / nx / ny + walk.low_[2]};
      for (int side = 0; side < 6; ++side) {
        const int axis = side / 2, step = side % 2 ? 1 : -1;
        Lattice::Node to = n;
        to[axis] += step;
        if (to[axis] < walk.low_[axis] || to[axis] >= walk.low_[axis] + walk.count_[axis]) continue;
        if (!lattice.inside[lattice.number(to)]) continue;
        if (lattice.crossed[lattice.number(step > 0 ? n : to)] >> axis & 1) continue;
        std::int16_t& steps = walk.steps_[place(to)];
        if (steps >= 0) continue;
        steps = std::int16_t(depth);
        walk.next_.push_back(place(to));
      }
    }
    walk.front_.swap(walk.next_);
  }
}

int Inside::Walk::least_steps(const Vec3& p) const {
  if (!lattice_) return 0;
  const Lattice::Node n = lattice_->nearest(p);
  int steps = 0;
  for (int a = 0; a < 3; ++a) steps += std::abs(n[a] - start_[a]);
  return steps;
}

int Inside::Walk::steps_to(const Vec3& p) const {
  if (!lattice_) return -1;
  const Lattice::Node n = lattice_->nearest(p);
  for (int a = 0; a < 3; ++a)
    if (n[a] < low_[a] || n[a] >= low_[a] + count_[a]) return -1;
  return steps_[std::size_t(((n[2] - low_[2]) * count_[1] + (n[1] - low_[1])) * count_[0] +
                            (n[0] - low_[0]))];
}

}  // namespace pliant::track
