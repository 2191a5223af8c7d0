#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "body/solid.h"
#include "methods/nurbs/nurbs.h"

namespace pliant {

/// The folder of CAD models that are judged when they are there: $PLIANT_MODELS/nurbs, or beside
/// the project.
std::filesystem::path cad_folder();

/// A CAD model as a solid about the origin whose longest side is `size` [m]: one of that folder, by
/// its file's name, or one that pliant makes itself, by its own. Nothing when it is not there.
std::optional<Solid> cad_solid(const std::string& name, const Material& material, double size = 1);

/// The same of patches at hand, as they are.
Solid cad_solid(std::vector<NurbsPatch> patches, const Material& material);

}  // namespace pliant
