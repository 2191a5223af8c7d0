#pragma once

#include <cstdint>

#include "body/nodes.h"
#include "methods/tets/tet_elements.h"

namespace pliant::tets {

/// Helps a scrambled body to find its shape. Near nu = 0.5 the volume constraints of tangled
/// tets block each other and the body stays a knot; at 0.3 it always came back (measured, see
/// C-recovery in `pliant papers`). So while many tets are inside out the body gives way in volume,
/// and goes back to its own material when they are not. What it is made of must not matter
/// meanwhile, nor the length of substeps: see soften() in compliance.h.
class Recovery {
 public:
  Recovery() = default;  // never does anything
  explicit Recovery(const TetElements& elements);

  /// Call before each substep's free flight. Looks at the tets every few substeps; throws the nodes
  /// of a body that has collapsed into a line or a point apart, since nothing else could.
  void look(const TetElements& elements, Nodes& nodes, std::int64_t substep);

  /// 0 = the material as the user wants it, 1 = all for recovery.
  double softness() const { return softness_; }
  /// [1/s] damping beside the material's.
  double damping(double h) const;

  void archive(Archive& archive);

 private:
  struct State {
    int inverted = 0;
    double inverted_volume = 0;  // [m^3] at rest
    int collapsed = 0;           // on a line or in a point
    double stretched = 0;        // sum of |F:F - 3|
  };
  State examine(const TetElements& elements, const Nodes& nodes);
  void throw_apart(const TetElements& elements, Nodes& nodes, std::int64_t substep) const;

  double crossing_ = 0;       // substeps a wave of softened tets takes to cross the body; 0 = off
  double volume_ = 0;         // [m^3] at rest
  std::vector<State> parts_;  // one per chunk of tets
  double softness_ = 0;       // state
  double calm_ = 0;           // state: substeps since many tets were inverted
};

}  // namespace pliant::tets
