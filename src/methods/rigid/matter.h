#pragma once

#include <array>
#include <string>
#include <vector>

#include "body/solid.h"

namespace pliant::rigid {

/// What of a solid matters when it cannot deform.
struct Matter {
  double mass = 0;                    // [kg]
  double volume = 0;                  // [m^3]
  Vec3 centre = Vec3::Zero();         // [m]
  Mat3 axes = Mat3::Identity();       // columns: principal axes in the world, right-handed
  Vec3 radius = Vec3::Zero();         // [m] along them: root of the mean square distance
  std::vector<std::string> warnings;  // how it was found, if not exactly
};

/// Exact where the solid is a closed surface of one density, or tets. Other surfaces are filled
/// with cells. `mass` [kg] > 0 replaces the one that follows from the density. Throws InputError
/// (no file, no path) when there is no inside.
Matter matter_of(const Solid& solid, double mass);

/// Four equal masses about the origin that weigh, balance and turn like the body: corners of a
/// tetrahedron, stretched along the principal axes.
std::array<Vec3, 4> equal_masses(const Vec3& radius);
/// Shares that make `p` [m], given along the principal axes, out of the four. They sum to one.
std::array<double, 4> shares_of(const Vec3& p, const Vec3& radius);

/// What is seen and touched of a solid; closed surfaces face outwards.
TriangleMesh surface_of(const Solid& solid);

}  // namespace pliant::rigid
