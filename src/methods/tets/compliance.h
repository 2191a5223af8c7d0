#pragma once

#include <vector>

#include "methods/tets/tet_elements.h"

namespace pliant::tets {

/// What a tet's stiffness is worth in one substep of length h.
struct Compliance {
  double shape = 0;   // [1/(kg m^2)] 1/(mu V h^2); Hookean: 1/(E V h^2), and nothing else
  double volume = 0;  // [1/(kg m^2)] 1/(lambda V h^2); 0 = incompressible
  double gamma = 1;   // volume ratio aimed at; balances `shape` so that rest stays at rest
};

/// beta / h^2 [1/s^2] of tet i: about (speed of shear waves / element size)^2. beta is how far the
/// shape constraint at rest would pull the corners in one substep, 1 = as far as its stiffness can.
/// Held nodes count as free: whether a tet is resolved must not change when a handle lets go.
double stiffness_rate(const TetElements& elements, int i, const std::vector<double>& mass);

/// Compliances of all tets for substeps of length h. Where beta would exceed `guard` the shape
/// stiffness is lowered to what such a step can resolve: one sweep over stiffer tets does not
/// converge, it collapses them. guard = 0: off.
void scale_compliances(const TetElements& elements, const std::vector<double>& mass, double h,
                       double guard, std::vector<Compliance>& compliances);

/// The beta of every tet, and Poisson's ratio at most, while a scrambled body recovers. With 0.03
/// to 0.1 bodies unfold; softer, moving apart takes for ever, stiffer, they shrink into a point.
inline constexpr double recovery_beta = 0.05;
inline constexpr double recovery_poisson = 0.3;

/// Leads compliances over to those of recovery: `softness` 0 = as they are, 1 = the same beta and
/// Poisson's ratio for every tet, whatever it is made of. Rest stays rest.
void soften(const TetElements& elements, const std::vector<double>& mass, double softness,
            std::vector<Compliance>& compliances);

/// What the guard does at substeps of length h.
struct Softening {
  int tets = 0;      // how many are softer than asked
  double worst = 1;  // by which factor the softest of them
};
Softening softening(const TetElements& elements, const std::vector<double>& mass, double h,
                    double guard);

}  // namespace pliant::tets
