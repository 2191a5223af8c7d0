#pragma once

#include <optional>

#include "body/solid.h"

namespace pliant::clusters {

/// Clustered shape matching: particles in overlapping clusters that keep their shape by a law, and
/// flow where their material is plastic. For dough, clay and taffy; elastic solids are better off
/// with groups or tets.
class Settings final : public MethodSettings {
 public:
  std::optional<int> particles;   // about how many; left out: default_particles
  std::optional<double> radius;   // [m] instead: how far apart they are
  double surface_edge = 0.7;      // longest edge of the skin, in radii
  double filter_stiffness = 5;    // see groups; soft ones make the skin of what flows shaggy
  double displacement_cap = 0.1;  // largest move of one projection, in cluster sizes; 0 = no limit
  double guard = 0.4;             // largest beta a substep resolves, see compliance.h; 0 = off
  bool merge = true;              // pieces of the body that meet unite
  bool resample = true;           // particles and clusters come and go as the body is drawn out
  enum class Law { neo_hookean, paper } law = Law::neo_hookean;
  std::optional<double> stiffness;  // the paper's K and its iterations per substep: of its law only
  std::optional<int> iterations;

  void describe(Fields& fields) override;
  Body create(const Solid& solid) const override;
  bool flows() const override { return true; }
  bool breaks() const override { return true; }
};

inline constexpr int default_particles = 1500;
inline constexpr int fewest_particles = 200;

}  // namespace pliant::clusters
