#pragma once

#include <vector>

#include "methods/shared/galerkin/lasting_factor.h"
#include "methods/shared/galerkin/wide_elastic.h"

namespace pliant::galerkin {

/// What steps so short that inertia rules in all motions need: the leapfrog method, with the
/// elastic force where a step starts and an inertia that no motion of the body is too fast for,
///
///   (M + s L) change of h v = h^2 force,      s at least a quarter of h^2 times the stiffest law
///
/// L as LastingFactor has it. A change of inertia keeps what the leapfrog method keeps (momentum,
/// and energy but for a ripple), makes slow motions slower by next to nothing and the fastest ones
/// as slow as the step can follow. No Newton iteration, one evaluation of the forces.
class ShortStep {
 public:
  ShortStep(const Elastic& elastic, WideElastic& wide, LastingFactor& factor);

  /// [1/s^2] Square of the fastest vibration of the body at rest. Uses the wide kernels: what they
  /// knew of a state is gone afterwards.
  double fastest(const std::vector<double>& mass);

  /// How many substeps of `dt` are short for a body that falls and is squeezed, or at least that
  /// they are too many.
  double count(const std::vector<double>& mass, double dt);

  /// Whether h is short for a body at rest: no answer depends on a state.
  bool is_short(const std::vector<double>& mass, double h);
  /// Whether it is where the body is squeezed to this J somewhere, so that it is stiffer there.
  bool is_short(const std::vector<double>& mass, double h, double least_J);

  /// False: there is no factor for this.
  bool prepare(const std::vector<double>& mass, double h, const std::vector<char>& held);
  /// move = (M + s L)^-1 residual; zero at held nodes. `whole`: all nodes are free, so that what
  /// moves all alike is exact.
  void answer(std::vector<Vec3>& residual, const std::vector<double>& mass, bool whole,
              std::vector<Vec3>& move);

 private:
  double mean(const std::vector<double>& mass) const;

  WideElastic& wide_;
  LastingFactor& factor_;
  double stiffest_ = 1;   // of the laws: resistance to stretch without shrinking over that to shear
  double fastest_ = 0;    // 0: not known yet
  double stiffness_ = 0;  // [s^2] s
};

}  // namespace pliant::galerkin
