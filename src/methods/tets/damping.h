#pragma once

#include <vector>

#include "math/types.h"

namespace pliant::tets {

/// Takes the share `k` (0..1) of what the corners' velocities differ from the tet's own rigid
/// motion. Keeps linear and angular momentum of the tet and never adds kinetic energy; held corners
/// take part but are not changed (they pull momentum, as a hand does).
void damp(const Tet& nodes, double k, const std::vector<Vec3>& position,
          const std::vector<double>& mass, const std::vector<char>& held,
          std::vector<Vec3>& velocity);

/// Angular velocity with I w = L; none about axes without inertia (corners on a line or in a
/// point).
Vec3 angular_velocity(const Mat3& inertia, const Vec3& angular_momentum);

}  // namespace pliant::tets
