#pragma once

#include <vector>

#include "methods/shared/galerkin/bundles.h"
#include "methods/shared/galerkin/elastic.h"

namespace pliant::galerkin {

/// Energy, forces and products with the stiffness of a neo-Hookean body, eight points at a time in
/// floats: what Elastic does, thirty times as fast. No tangent is stored but F and two numbers a
/// point; it is Law::clamped_tangent.
///
/// Everything is seen from a frame that turns with the body (a rigid fit), as displacements from
/// the place at rest there: where strains are small, so are the displacement's gradients, and
/// floats lose nothing of them. So steel can be stepped in floats as well as jelly.
class WideElastic {
 public:
  /// All laws of `elastic` are of one neo-Hookean kind.
  explicit WideElastic(const Elastic& elastic);

  struct State {
    double energy = 0;   // [J]
    double least_J = 1;  // of all points
  };
  /// The body displaced by u: its forces, +dV/du [N], and the tangents for products.
  State update(const std::vector<Vec3>& u, std::vector<Vec3>& force);

  /// Whether its gradients do not fit the nearest cache, so that rough products save time.
  bool is_large() const;

  /// y = mass x + factor K x with the tangents of the last update, and 0 at held nodes. `roughly`:
  /// K is off by a thousandth, and takes half the time where it is too large for the nearest cache.
  /// Still symmetric.
  void multiply(const std::vector<Vec3>& x, const std::vector<double>& mass, double factor,
                const std::vector<char>& held, bool roughly, std::vector<Vec3>& y);

 private:
  Bundles bundles_;
  std::shared_ptr<const QuadraticForm> form_;
  /// Gradients once more, [pattern][row][slot] as half floats. Products are limited by how fast
  /// gradients come from memory, and these stay in a nearer cache. They only say which way Newton's
  /// method goes; forces have the full ones.
  AlignedFloats halves_;
  std::vector<std::size_t> half_start_;  // by pattern, in halves
  bool logarithmic_ = true;
  AlignedFloats moduli_;                 // [bundle][mu, lambda][8], times volume
  AlignedFloats tangents_;               // [bundle][gradient of u (9), of J, of the cofactor][8]
  std::vector<float> energy_, least_J_;  // per bundle
};

}  // namespace pliant::galerkin
