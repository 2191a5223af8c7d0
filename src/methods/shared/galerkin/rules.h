#pragma once

namespace pliant::galerkin {

/// How linear systems are solved.
enum class Solver {
  automatic,  // direct for small bodies, iterative for others
  direct,     // sparse Cholesky factor, analysed once
  iterative,  // conjugate gradients without a matrix
};

/// What of a method's settings matters while moving.
struct Rules {
  Solver solver = Solver::automatic;
  double tolerance = 1e-5;        // of linear solves in a step, against the load of that step
  int newton = 0;                 // iterations per substep at most; 0 = the law's own number
  double static_residual = 1e-5;  // equilibrium is found when this share of the force is left
  double mass_damping = 0;        // [1/s] Rayleigh's alpha: slows rigid motion too
  double stiffness_damping = 0;   // [s] Rayleigh's beta
  /// [Pa/m] pull per area of a held skin that is off by a metre; 0 = nodes are held.
  double grip = 0;
  /// [Pa/m] the same of rollers, which are always springs.
  double roller = 0;
};

}  // namespace pliant::galerkin
