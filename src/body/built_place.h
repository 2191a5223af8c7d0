#pragma once

#include "body/skin.h"

namespace pliant {

/// [m] Where the vertex was when the body was built; of inner material, where it is.
Vec3 built_place(const Skin& skin, int vertex);

}  // namespace pliant
