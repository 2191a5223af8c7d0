#pragma once

#include "math/types.h"

namespace pliant {

using Mat9 = Eigen::Matrix<double, 9, 9>;

/// Rubber-like solid: Psi = mu/2 (F:F - 3) + lambda/2 (J - gamma)^2, less its value at rest.
///
/// mu and lambda are chosen so that small strains follow Hooke's law with the given E and nu. They
/// are *not* the Lame pair of textbooks: this energy's own shape part already resists volume
/// change, so lambda must be Lame's plus mu. Papers leave that out, and get nu = 0.167 where 0.3
/// was asked. gamma = 1 + mu/lambda makes F = I stress-free. Energy and stress stay finite when F
/// is inverted.
struct NeoHookean {
  double mu = 0;  // [Pa] resists change of shape
  double lambda_inverse =
      0;             // [1/Pa] 0 = incompressible (nu = 0.5): no special case for constraints
  double gamma = 1;  // volume ratio at which the volume part alone would rest

  static NeoHookean from(double young, double poisson);
  /// With the Lame pair of textbooks put in as papers do, to reproduce their figures: acts like
  /// another E and nu (0.897 E and 0.167 for nu = 0.3). Stable above nu = 0.125 only.
  static NeoHookean from_paper(double young, double poisson);

  /// Per unit rest volume [J/m^3], 0 at rest. When incompressible, J = 1 is a constraint that
  /// stores nothing: the volume part is left out here and in `stress`, which is then known up to a
  /// pressure.
  double energy(const Mat3& F) const;
  Mat3 stress(const Mat3& F) const;  // first Piola-Kirchhoff, dEnergy/dF [Pa]
  /// Change of stress with F, both by columns. Exact, so not always positive definite.
  Mat9 stiffness(const Mat3& F) const;
  Mat3 cauchy(const Mat3& F) const;  // force per present area [Pa]; J is kept away from 0

  /// nu / (1 - nu): stress across a stretch over stress along it where nothing gives way sideways.
  double sideways() const { return (1 - mu * lambda_inverse) / (1 + mu * lambda_inverse); }

  /// Size of the Cauchy stress without its pressure [Pa]; exact for incompressible solids too.
  double von_mises(const Mat3& F) const;
};

/// Second derivative of mu/2 F:F + g(J), by columns, where `first` and `second` are those of g at
/// det F.
Mat9 volumetric_stiffness(const Mat3& F, double mu, double first, double second);

}  // namespace pliant
