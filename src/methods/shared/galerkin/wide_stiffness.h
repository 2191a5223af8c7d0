#pragma once

#include <vector>

#include "methods/shared/galerkin/bundles.h"
#include "methods/shared/galerkin/elastic.h"

namespace pliant::galerkin {

/// y = K x without a matrix, for any law, with tangents that were made in double. For neo-Hookean
/// bodies in motion see WideElastic, which makes its own.
class WideStiffness {
 public:
  explicit WideStiffness(const Elastic& elastic);

  /// Takes the stiffness of all points as elastic.keep_tangents() left it.
  void set_tangents(const Elastic& elastic);

  void multiply(const std::vector<Vec3>& x, std::vector<Vec3>& y);
  /// y = mass x + factor K x, and 0 at held nodes.
  void multiply(const std::vector<Vec3>& x, const std::vector<double>& mass, double factor,
                const std::vector<char>& held, std::vector<Vec3>& y);

  int patterns() const { return bundles_.patterns(); }  // different bundle matrices
  int bundles() const { return bundles_.size(); }

 private:
  void multiply_bundles(const std::vector<Vec3>& x);

  bool rotated_ = false;  // all points corotated: 17 numbers instead of 45
  Bundles bundles_;
  std::shared_ptr<const QuadraticForm> form_;
  AlignedFloats tangents_;  // [bundle][number][8]
};

}  // namespace pliant::galerkin
