#pragma once

#include <vector>

#include "methods/shared/shape_law/shapes.h"

namespace pliant::shape_law {

/// What is done about movement that a group's deformation gradient cannot see.
enum class Filter {
  compliant,  // it has a stiffness of its own: bending does not depend on the substep
  hard,       // it is taken out, as in the paper: bending gets stiffer with every substep
  off,
};

/// What a group's stiffness is worth in one substep of length h.
struct Compliance {
  double shape = 0;  // [1/(kg m^2)] 1/(mu V h^2); Hookean: 1/(E V h^2); lines: L^2/(E V h^2) [1/kg]
  double volume = 0;  // [1/(kg m^2)] 1/(lambda V h^2); 0 = incompressible
  double gamma = 1;   // volume ratio aimed at; balances `shape` so that rest stays at rest
  double match = 0;   // share of the way to the rigid fit (shape matching)
  double filter = 0;  // share of what the fit cannot see that is taken out
};

/// What of the settings decides them.
struct Stiffening {
  double guard = 0.4;
  Law law = Law::neo_hookean;
  Filter filter = Filter::compliant;
  double filter_stiffness = 1;
};

/// The beta we ask for: see methods/tets/tets_method.cpp.
inline constexpr double advised_beta = 0.012;

/// beta / h^2 [1/s^2] of group g: about (speed of shear waves / its size)^2. beta is how far the
/// shape constraint at rest would pull the members in one substep, 1 = as far as its stiffness can.
/// Held particles count as free: whether a group is resolved must not change when a handle lets go.
double stiffness_rate(const Shapes& shapes, int g);

/// Compliances of all groups for substeps of length h. Where beta would exceed the guard the shape
/// stiffness is lowered to what such a step can resolve: one sweep over stiffer groups does not
/// converge, it collapses them. guard = 0: off.
///
/// The filter gives the residual e_i = x_i - (centre + F arm_i) the energy
///   U = k/2 sum of (m_i/M) |e_i|^2,   k = c_z mu V / l^2,   l^2 = length^2 / 3.
/// The residual is orthogonal to the fit by mass, so the implicit step needs no multiplier:
/// s = h^2 k / M, and s / (1 + s) of the residual goes.
void scale_compliances(const Shapes& shapes, double h, const Stiffening& how,
                       std::vector<Compliance>& compliances);

/// What the guard does at substeps of length h.
struct Softening {
  int groups = 0;    // how many are softer than asked
  double worst = 1;  // by which factor the softest of them
};
Softening softening(const Shapes& shapes, double h, double guard);

}  // namespace pliant::shape_law
