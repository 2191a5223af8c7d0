#pragma once

#include <vector>

#include "math/types.h"

namespace pliant::galerkin {

/// A constant part of a body's elastic energy, 1/2 sum S_ab x_a . x_b: one number per pair of
/// nodes, the same along x, y and z. It is zero for every affine motion, so it does not notice how
/// a body turns, and places and displacements have the same energy. Empty: there is none.
struct QuadraticForm {
  std::vector<int> start = {0};
  std::vector<int> node;      // rising in each row; rows of both nodes hold the pair
  std::vector<double> value;  // [N/m]

  bool empty() const { return node.empty(); }
  int nodes() const { return int(start.size()) - 1; }

  double energy(const std::vector<Vec3>& x) const;  // [J]
  /// Row n of S x.
  Vec3 row(int n, const std::vector<Vec3>& x) const {
    Vec3 sum = Vec3::Zero();
    for (int k = start[n]; k < start[n + 1]; ++k) sum += value[k] * x[node[k]];
    return sum;
  }
  double diagonal(int n) const {
    for (int k = start[n]; k < start[n + 1]; ++k)
      if (node[k] == n) return value[k];
    return 0;
  }
  /// y += factor S x.
  void add_product(const std::vector<Vec3>& x, double factor, std::vector<Vec3>& y) const;
};

/// An energy 1/2 weight |sum coefficient x|^2; coefficients sum to zero, and so do their products
/// with the places at rest.
struct SquaredSum {
  std::vector<int> node = {};  // rising
  std::vector<double> coefficient = {};
  double weight = 0;  // [N/m]
};

/// The sum of such energies.
QuadraticForm quadratic_form(const std::vector<SquaredSum>& sums, int nodes);

}  // namespace pliant::galerkin
