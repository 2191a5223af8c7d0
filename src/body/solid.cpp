#include "body/solid.h"

namespace pliant {

const Material& Solid::material_at(const Vec3& rest_point) const {
  for (auto part = parts.rbegin(); part != parts.rend(); ++part)
    if (part->region.contains(rest_point)) return part->material;
  return material;
}

}  // namespace pliant
