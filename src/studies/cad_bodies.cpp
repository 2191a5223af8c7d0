#include "studies/cad_bodies.h"

#include <cstdlib>

#include "formats/cad.h"
#include "formats/formats.h"
#include "geometry/intake/intake.h"
#include "geometry/nurbs/models.h"

namespace pliant {
namespace {

// Of the size: how far triangles may lie from the faces.
constexpr double deviation = 1e-3;

void resize(std::vector<NurbsPatch>& patches, double size) {
  Box box;
  for (const NurbsPatch& patch : patches)
    for (const Vec2& at : patch.domain) box.add(patch.point(at.x(), at.y()));
  const double scale = size / box.extent().maxCoeff();
  const Vec3 middle = box.centre();
  for (NurbsPatch& patch : patches)
    for (Vec3& pole : patch.pole) pole = scale * (pole - middle);
}

}  // namespace

std::filesystem::path cad_folder() {
  const char* const given = std::getenv("PLIANT_MODELS");
  return std::filesystem::path(given ? given : "../shared/models") / "nurbs";
}

Solid cad_solid(std::vector<NurbsPatch> patches, const Material& material) {
  Box box;
  for (const NurbsPatch& patch : patches)
    for (const Vec2& at : patch.domain) box.add(patch.point(at.x(), at.y()));
  const double diagonal = box.extent().norm();
  Solid solid;
  solid.surface = take_in(tessellate(patches, 0.06 * diagonal, deviation * diagonal).mesh).mesh;
  solid.patches = std::move(patches);
  solid.material = material;
  return solid;
}

std::optional<Solid> cad_solid(const std::string& name, const Material& material, double size) {
  std::vector<NurbsPatch> patches;
  if (const MadeModel* made = find_made_model(name)) {
    patches = made->make();
  } else {
    const std::filesystem::path path = cad_folder() / name;
    std::error_code ignored;
    if (!has_cad() || !std::filesystem::exists(path, ignored)) return std::nullopt;
    patches = read_cad(path).patches;
  }
  resize(patches, size);
  Solid solid = cad_solid(std::move(patches), material);
  solid.name = name;
  return solid;
}

}  // namespace pliant
