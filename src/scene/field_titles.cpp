#include "scene/field_titles.h"

namespace pliant {
namespace {

constexpr const char* every = "all";
constexpr const char* soft = "tets, groups, clusters, meshless, nurbs";

constexpr FieldTitle titles[] = {
    {"displacement", "displacement", "m", false, every},
    {"height", "height", "m", false, every},
    {"speed", "speed", "m/s", false, every},
    {"velocity_x", "velocity along x", "m/s", true, every},
    {"velocity_y", "velocity along y", "m/s", true, every},
    {"velocity_z", "velocity along z", "m/s", true, every},
    {"contact_pressure", "contact pressure", "Pa", false, every},
    {"contact_force", "contact force", "N", false, every},
    {"contact_force_x", "contact force along x", "N", true, every},
    {"contact_force_y", "contact force along y", "N", true, every},
    {"contact_force_z", "contact force along z", "N", true, every},
    {"von_mises", "von Mises stress", "Pa", false, soft},
    {"J", "volume ratio J", "", false, soft},
    {"stretch_1", "largest stretch", "", false, "tets, groups, clusters"},
    {"stretch_2", "middle stretch", "", false, "tets, groups, clusters"},
    {"stretch_3", "smallest stretch", "", false, "tets, groups, clusters"},
    {"plastic_strain", "plastic strain", "", false, "tets, groups, clusters"},
    {"stretch", "largest stretch", "", false, "meshless, nurbs"},
    {"strain", "largest strain", "", false, "meshless, nurbs"},
    {"energy_density", "energy density", "J/m^3", false, "meshless, nurbs"},
};

}  // namespace

std::span<const FieldTitle> field_titles() { return titles; }

const FieldTitle* field_title(std::string_view name) {
  for (const FieldTitle& known : titles)
    if (name == known.name) return &known;
  return nullptr;
}

}  // namespace pliant
