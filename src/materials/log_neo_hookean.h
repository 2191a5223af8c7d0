#pragma once

#include "materials/neo_hookean.h"

namespace pliant {

/// Rubber-like solid that resists being flattened without bound:
///   Psi = mu/2 (F:F - 3) - mu ln J + lambda/2 (ln J)^2
/// (Bonet & Wood 2008, section 6.4.3). mu and lambda are Lame's; small strains follow Hooke's law.
///
/// Below J = barrier_J the logarithm is continued by its quadratic Taylor polynomial, so that
/// energy and stress are finite and continuous everywhere: a point that contact has turned inside
/// out finds its way back, where ln J itself would be undefined.
struct LogNeoHookean {
  double mu = 0;      // [Pa]
  double lambda = 0;  // [Pa]
  bool is_square =
      false;  // lambda/2 (J - 1)^2 instead of lambda/2 (ln J)^2: as some papers have it

  /// Late enough that nothing but a violent impact gets there, early enough for floats: stresses
  /// are a hundred times those of a strain of one.
  static constexpr double barrier_J = 0.1;

  static LogNeoHookean from(double young, double poisson);

  double energy(const Mat3& F) const;  // per unit rest volume [J/m^3], 0 at rest
  Mat3 stress(const Mat3& F) const;    // first Piola-Kirchhoff [Pa]
  /// Change of stress with F, both by columns. Exact, so not always positive definite.
  Mat9 stiffness(const Mat3& F) const;

  /// Of the part of the energy that depends on J alone: derivatives with J.
  struct Pressure {
    double first;   // [Pa] stress = mu F + first * cofactor(F)
    double second;  // [Pa]
  };
  Pressure pressure(double J) const;
};

}  // namespace pliant
