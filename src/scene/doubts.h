#pragma once

#include "scene/build_log.h"
#include "scene/description.h"

namespace pliant {

// What may be meant as it is written, but hardly is: a warning each, with its cure.

/// Young's modulus in GPa or density in g/cm^3.
void doubt_material(const std::string& body, const Material& asked, BuildLog& log);

/// A model that seems to stand on z = 0 while y is up. `box`: in the coordinates of its file.
void doubt_standing(const BodyDescription& body, const Box& box, BuildLog& log);

/// Handles that never move, and nodes or vertices that two handles hold.
void doubt_handles(const BodyDescription& description, const Body& body, BuildLog& log);

/// Materials of regions that no part of the body is made of.
void doubt_parts(const Solid& solid, const Body& body, BuildLog& log);

}  // namespace pliant
