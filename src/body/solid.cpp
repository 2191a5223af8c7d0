#include "body/solid.h"

#include "core/errors.h"

namespace pliant {

const Material& Solid::material_at(const Vec3& rest_point) const {
  for (auto part = parts.rbegin(); part != parts.rend(); ++part)
    if (part->contains(rest_point)) return part->material;
  return material;
}

void find_groups(Solid& solid) {
  for (std::size_t p = 0; p < solid.parts.size(); ++p) {
    Solid::Part& part = solid.parts[p];
    if (!part.region.is_of_surface()) continue;
    try {
      part.near = std::make_shared<NearGroup>(
          solid.surface, triangles_of(part.region, solid.surface.points, solid.surface.triangles,
                                      solid.surface.groups));
    } catch (const InputError& error) {
      const Problem& first = error.problems().front();
      throw InputError("", "/regions/" + std::to_string(p) + "/region/group", first.what,
                       first.hint);
    }
  }
}

}  // namespace pliant
