#pragma once

#include "materials/neo_hookean.h"

namespace pliant {

/// St. Venant-Kirchhoff: Hooke's law for Green's strain e = (F^T F - I)/2,
/// Psi = lambda/2 tr(e)^2 + mu e:e with the Lame pair of textbooks. Right for small strain and any
/// rotation. For large strain it is the classic bad example: pulled bars lose volume and collapse
/// (nu = 0.49 at 1.74 times their length), squeezed ones give way (below 1/sqrt(3)), and a tet
/// turned inside out has the energy of its mirror image and stays so.
struct Hookean {
  double young = 0;   // [Pa]
  double mu = 0;      // [Pa]
  double lambda = 0;  // [Pa]

  /// Poisson's ratio must be below 0.5.
  static Hookean from(double young, double poisson);

  double energy(const Mat3& F) const;  // per unit rest volume [J/m^3], 0 at rest
  Mat3 second_stress(
      const Mat3& F) const;             // second Piola-Kirchhoff, S = lambda tr(e) I + 2 mu e [Pa]
  Mat3 stress(const Mat3& F) const;     // first Piola-Kirchhoff, F S = dEnergy/dF [Pa]
  Mat9 stiffness(const Mat3& F) const;  // change of stress with F, both by columns
  Mat3 cauchy(const Mat3& F) const;     // force per present area [Pa]; J is kept away from 0
  double sideways() const { return lambda / (lambda + 2 * mu); }
  double von_mises(const Mat3& F) const;  // size of the Cauchy stress without its pressure [Pa]
};

}  // namespace pliant
