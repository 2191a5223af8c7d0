#pragma once

#include "geometry/nurbs/patch.h"

namespace pliant {

// Solids as NURBS patches, centred at the origin unless said, facing outwards: what scenes and
// tests use where no CAD file is at hand. Lengths in metres.

/// Six bilinear faces.
std::vector<NurbsPatch> nurbs_box(const Vec3& size);
/// A box along x whose four sides are cut into `sections` faces each, and two ends.
std::vector<NurbsPatch> nurbs_beam(const Vec3& size, int sections);
/// Round about y: four quarter walls and two discs, exactly round by rational arcs.
std::vector<NurbsPatch> nurbs_cylinder(double radius, double height);
/// Eight rational faces that meet in the poles.
std::vector<NurbsPatch> nurbs_sphere(double radius);
/// Round about y: sixteen rational faces.
std::vector<NurbsPatch> nurbs_torus(double ring, double tube);

}  // namespace pliant
