#pragma once

#include <cstdint>
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
  /// The body displaced by u: its forces, +dV/du [N], and the tangents for products. `roughly`: of
  /// a body whose gradients are off by some hundred-thousandths. Half the time where they are too
  /// many for the nearest cache; forces are still those of an energy and have no sum.
  State update(const std::vector<Vec3>& u, std::vector<Vec3>& force, bool roughly = false);

  /// Of the tangents of the last update: how many times the stiffness of a point to shear at rest
  /// it resists any wave at most, 1 + (lambda + mu) / mu of a body at rest. Some percent more at
  /// free surfaces.
  double stiffest() const;

  /// Whether its gradients do not fit the nearest cache, so that rough ones save time.
  bool is_large() const;

  /// y = mass x + factor K x with the tangents of the last update, and 0 at held nodes. `roughly`
  /// as there; still symmetric.
  void multiply(const std::vector<Vec3>& x, const std::vector<double>& mass, double factor,
                const std::vector<char>& held, bool roughly, std::vector<Vec3>& y);

 private:
  Bundles bundles_;
  std::shared_ptr<const QuadraticForm> form_;
  /// Gradients once more, [pattern][row][slot] as multiples of a step: a quarter of the memory, as
  /// one order serves both ways. How fast they come is what limits large bodies.
  struct Rough {
    std::size_t start = 0;  // into steps_
    float step = 0;         // [1/m]
  };
  void make_rough();
  std::vector<std::int16_t> steps_;
  std::vector<Rough> rough_;  // by pattern
  bool logarithmic_ = true;
  AlignedFloats moduli_;                 // [bundle][mu, lambda][8], times volume
  AlignedFloats tangents_;               // [bundle][gradient of u (9), of J, of the cofactor][8]
  std::vector<float> energy_, least_J_;  // per bundle
};

}  // namespace pliant::galerkin
