#pragma once

#include <cmath>

namespace pliant {

/// Flat elements would have infinite Cauchy stress; a thousandth of the rest volume is flat enough.
inline double away_from_zero(double J) {
  constexpr double least = 1e-3;
  if (std::abs(J) >= least) return J;
  return J < 0 ? -least : least;
}

}  // namespace pliant
