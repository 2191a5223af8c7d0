#include "body/solid_materials.h"

namespace pliant {

std::vector<Material> materials_of(const Solid& solid) {
  std::vector<Material> materials = {solid.material};
  for (const Solid::Part& part : solid.parts) materials.push_back(part.material);
  return materials;
}

int material_index(const Solid& solid, const Vec3& rest_point) {
  for (int i = int(solid.parts.size()); i > 0; --i)
    if (solid.parts[i - 1].contains(rest_point)) return i;
  return 0;
}

}  // namespace pliant
