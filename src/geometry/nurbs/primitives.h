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

// Of one size, with what CAD files have: trims, parts that overlap, openings. Faces of one part
// share its name.

/// An L with two bolt holes: trimmed faces.
std::vector<NurbsPatch> nurbs_bracket();
/// A cup and a handle of its own, whose ends lie in the wall; `deep`: reach through it.
std::vector<NurbsPatch> nurbs_mug(bool deep);
/// Open at the bottom, with four fins that reach into the hull.
std::vector<NurbsPatch> nurbs_rocket();
/// About z; "tyre" and "tread" round a "hub" that reaches into it.
std::vector<NurbsPatch> nurbs_tyre();
/// Towers, walls, a gate and a keep on a rock, all reaching into each other; walls and roofs end
/// within or above the others without edges in common.
std::vector<NurbsPatch> nurbs_castle();

}  // namespace pliant
