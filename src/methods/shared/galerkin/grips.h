#pragma once

#include <vector>

#include "math/weights.h"

namespace pliant::galerkin {

/// Springs that hold points of the body at places: how a skin is held whose vertices are no nodes.
/// Row g pulls sum(weight * node) towards target[g] with stiffness[g] [N/m].
struct Grips {
  std::vector<int> start = {0};
  std::vector<int> node;
  std::vector<double> weight;
  std::vector<double> stiffness;
  std::vector<Vec3> target;     // [m]
  std::vector<Vec3> direction;  // unit: it pulls along this only; zero: whatever way

  int size() const { return int(stiffness.size()); }
  void resize(int grips);  // to fewer
  void add(const Weights& weights, int row, double stiff, const Vec3& to, const Vec3& along);

  Vec3 pull(int grip, const std::vector<Vec3>& x) const;
  Vec3 place(int grip, const std::vector<Vec3>& x) const;

  /// f += pull of the springs at positions x, times `factor`. Returns the sum of the pulls.
  Vec3 add_pull(const std::vector<Vec3>& x, double factor, std::vector<Vec3>& f) const;
  /// y += factor K x.
  void add_product(const std::vector<Vec3>& x, double factor, std::vector<Vec3>& y) const;
  /// Adds to what stands on the diagonal of K.
  void add_diagonal(std::vector<Mat3>& blocks) const;
};

}  // namespace pliant::galerkin
