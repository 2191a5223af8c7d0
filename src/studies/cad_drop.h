#pragma once

#include "body/solid.h"
#include "studies/study.h"
#include "world/world.h"

namespace pliant {

/// A CAD body that falls by half its height onto the floor, with its own number of substeps.
World cad_drop(const Solid& solid);

constexpr double cad_frame = 1.0 / 60;  // [s] of such a drop

/// Models as bodies that their fall hardly dents, and that it flattens, finite and right side out.
PaperRow cad_drops(bool quick);

}  // namespace pliant
