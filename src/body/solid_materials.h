#pragma once

#include "body/solid.h"

namespace pliant {

/// The solid's own material, then those of its parts in their order.
std::vector<Material> materials_of(const Solid& solid);

/// Which of materials_of() is meant at this place at rest.
int material_index(const Solid& solid, const Vec3& rest_point);

}  // namespace pliant
