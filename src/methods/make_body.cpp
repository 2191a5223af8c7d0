#include "methods/make_body.h"

#include "core/checked_fields.h"
#include "core/errors.h"
#include "methods/registry.h"

namespace pliant {
namespace {

constexpr double earth_gravity = 9.81;  // [m/s^2]

/// Only the first of each kind: the others are of the same cause.
void look_at_points(const std::vector<Vec3>& points, std::vector<Problem>& problems) {
  for (std::size_t p = 0; p < points.size(); ++p)
    if (!points[p].allFinite()) {
      problems.push_back(
          {"", "", "has a point that is not finite (point " + std::to_string(p) + ")", ""});
      return;
    }
}

template <class Element>
void look_at_corners(const std::vector<Element>& elements, std::size_t points, const char* kind,
                     std::vector<Problem>& problems) {
  for (std::size_t e = 0; e < elements.size(); ++e)
    for (const int corner : elements[e])
      if (corner < 0 || std::size_t(corner) >= points) {
        problems.push_back({"", "",
                            "has a " + std::string(kind) + " (" + std::to_string(e) +
                                ") with the corner " + std::to_string(corner) + "; there are " +
                                std::to_string(points) + " points",
                            "they are counted from 0"});
        return;
      }
}

double extent(const std::vector<Vec3>& points) {
  return points.empty() ? 0 : bounds(points).extent().maxCoeff();
}

}  // namespace

Body make_body(MethodSettings& settings, Solid solid) {
  std::vector<Problem> problems;
  look_at_points(solid.surface.points, problems);
  look_at_corners(solid.surface.triangles, solid.surface.points.size(), "triangle", problems);
  if (solid.tets) {
    look_at_points(solid.tets->points, problems);
    look_at_corners(solid.tets->tets, solid.tets->points.size(), "tet", problems);
  }
  CheckedFields::look(settings, "/method", problems);
  CheckedFields::look(solid.material, "/material", problems);
  for (std::size_t p = 0; p < solid.parts.size(); ++p)
    CheckedFields::look(solid.parts[p].material, "/parts/" + std::to_string(p) + "/material",
                        problems);
  for (Problem& problem : problems) problem.file = solid.name;
  if (!problems.empty()) throw InputError(std::move(problems));

  const double size = extent(solid.tets ? solid.tets->points : solid.surface.points);
  solid.material = completed(solid.material, size, earth_gravity);
  for (Solid::Part& part : solid.parts)
    part.material = completed(part.material, size, earth_gravity);
  find_groups(solid);
  return settings.create(solid);
}

Body make_body(const std::string& method, Solid solid) {
  const MethodKind* kind = find_method(method);
  if (kind) return make_body(*kind->settings(), std::move(solid));
  std::string known;
  for (const MethodKind& each : registered_methods())
    known += (known.empty() ? "" : ", ") + std::string(each.name);
  throw InputError(solid.name, "/method", "is \"" + method + "\"; it must be one of " + known);
}

}  // namespace pliant
