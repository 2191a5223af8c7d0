#pragma once

#include <span>
#include <vector>

#include "methods/shared/galerkin/lasting_factor.h"
#include "methods/shared/galerkin/wide_elastic.h"

namespace pliant::galerkin {

/// What steps that solve nothing need: the leapfrog method, with the elastic force where a step
/// starts and an inertia that no motion of the body is too fast for,
///
///   (M + s L) change of h v = h^2 force,      s at least a quarter of h^2 times the stiffest law
///
/// L as LastingFactor has it. A change of inertia keeps what the leapfrog method keeps (momentum,
/// and energy but for a ripple), makes slow motions slower by next to nothing and the fastest ones
/// as slow as the step can follow. No Newton iteration, one evaluation of the forces.
///
/// Where the step is short for all motions, s is for those that get stiffer, and contact goes by
/// 1/mass. Otherwise contact goes by (M + s L)^-1, too: selective mass scaling (Olovsson,
/// Simonsson, Unosson, Int. J. Numer. Meth. Engng 63, 2005), with a constant L in place of K.
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
  /// The same with so much inertia that h may be any: `stiffest` as WideElastic has it of the body
  /// as it is now. Grips may hold it.
  bool prepare_scaled(const std::vector<double>& mass, double h, const std::vector<char>& held,
                      double stiffest, const Grips* grips);
  double stiffest_at_rest() const { return stiffest_; }
  /// y += scale L x.
  void add_product(const std::vector<Vec3>& x, double scale, std::vector<Vec3>& y) const {
    factor_.add_product(x, scale, y);
  }
  double scale() const { return stiffness_; }  // [s^2] s
  /// move = (M + s L)^-1 residual; zero at held nodes. `whole`: all nodes are free, so that what
  /// moves all alike is exact.
  void answer(std::vector<Vec3>& residual, const std::vector<double>& mass, bool whole,
              std::vector<Vec3>& move);
  /// (M + s L)^-1 for unit loads on up to three nodes, the same along each axis: moves[n][i] is how
  /// node n answers nodes[i].
  void columns(std::span<const int> nodes, const std::vector<double>& mass, bool whole,
               std::vector<Vec3>& moves);
  int made() const { return factor_.made(); }

 private:
  double mean(const std::vector<double>& mass) const;
  bool prepare_for(double wanted, const std::vector<double>& mass, double h,
                   const std::vector<char>& held, const Grips* grips);

  WideElastic& wide_;
  LastingFactor& factor_;
  double stiffest_ = 1;   // of the laws: resistance to stretch without shrinking over that to shear
  double fastest_ = 0;    // 0: not known yet
  double stiffness_ = 0;  // [s^2] s
  std::vector<Vec3> loads_;
};

}  // namespace pliant::galerkin
