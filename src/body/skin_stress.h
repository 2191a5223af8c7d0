#pragma once

#include <vector>

#include "math/types.h"

namespace pliant {

struct Body;

/// Stress at the vertices of a skin, as a method finds it from its elements.
struct SkinStress {
  std::vector<Mat3> cauchy;  // [Pa]
  /// Stress across a stretch over stress along it where nothing can give way sideways: nu / (1 -
  /// nu) of Hooke's law.
  std::vector<double> sideways;
};

/// Size of a stress without its pressure [Pa].
double von_mises(const Mat3& cauchy);

/// Stress at the vertices of the body's drawn skin; false when its method knows none. Where nothing
/// pulls or holds the surface, nothing but a known pressure may act on it: what elements
/// leave beside that is taken out, as if the strain along the normal alone were wrong.
bool skin_stress(const Body& body, SkinStress& stress);

}  // namespace pliant
