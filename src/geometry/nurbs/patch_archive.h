#pragma once

#include "core/archive.h"
#include "geometry/nurbs/patch.h"

namespace pliant {

/// All of a patch, to be stored and read back. What was read back may be no surface: see check().
void archive(Archive& archive, NurbsPatch& patch);

}  // namespace pliant
