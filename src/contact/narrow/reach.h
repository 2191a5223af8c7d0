#pragma once

#include <algorithm>

namespace pliant {

constexpr double foreseen_substeps = 2;  // whose motion is foreseen

/// [m] Gaps smaller than this become contacts, for features that moved by `moved` against each
/// other in this substep, as a solve moves them about as far as they came; at least those up to
/// `near`.
inline double contact_reach(double near, double thickness, double moved) {
  return std::max(near, thickness + foreseen_substeps * moved);
}

/// Cosine of 30 degrees: walls of a hollow corner differ by more.
constexpr double corner_turn = 0.866;

}  // namespace pliant
