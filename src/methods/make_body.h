#pragma once

#include <string>

#include "body/solid.h"

namespace pliant {

/// For programs that have no scene file: makes a body of a solid, after a look at what it is given.
/// What the material leaves out is filled in as in a scene, for the gravity of the Earth. Throws
/// one InputError with every problem: an unknown method or preset, values out of their range,
/// corners that are no points, points that are not finite.
///
///   world.bodies.push_back(make_body("tets", {.name = "ball", .surface = sphere_mesh(0.25, 0.05),
///                                             .material = {.preset = "jelly"}}));
///
/// Surfaces with seams, holes or flipped triangles are for take_in() first (geometry/intake).
Body make_body(const std::string& method, Solid solid);
/// With settings of one's own: `tets::Settings settings; settings.cells = 5000;`
Body make_body(MethodSettings& settings, Solid solid);

}  // namespace pliant
