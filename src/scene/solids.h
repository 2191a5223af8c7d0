#pragma once

#include <optional>
#include <string>

#include "body/solid.h"
#include "formats/formats.h"
#include "geometry/intake/intake.h"
#include "scene/build_log.h"
#include "scene/description.h"

namespace pliant {

/// The surface of a model file as it was before it was made fit for physics.
struct GivenSurface {
  Faces faces;                     // empty when the body is no surface from a file
  std::vector<Vec3> points;        // [m] placed in the world
  std::vector<int> vertex;         // per point: its place in the solid's surface; -1 = none
  std::filesystem::path cad_file;  // which the solid's patches are from; empty = none
};

/// The body's shape in the world, in metres, fit for physics, materials complete. Writes what it
/// chose into `body`. Nothing: there were problems, which are in the log under `where`.
std::optional<Solid> make_solid(BodyDescription& body, const SceneDescription& scene,
                                const std::string& where, BuildLog& log, GivenSurface& given);

/// The given surface mapped to the skin of the body made of it; empty when the method made a skin
/// of its own, whose vertices do not begin with those of the solid's surface.
Original map_original(const GivenSurface& given, const TriangleMesh& surface, const Skin& skin);

/// [m] of a unit of the coordinates that were read, whose unit is said to be this one, an index
/// into unit_names. CAD files know theirs and are read in metres; another one wins.
double metres_of(const Model& model, int unit);

/// A model file's surface, scaled and upright; for colliders.
std::optional<TriangleMesh> load_surface(const std::string& file, double scale, int unit, int up,
                                         const std::string& where, BuildLog& log);

/// Largest extent [m].
double largest_extent(const Solid& solid);

}  // namespace pliant
