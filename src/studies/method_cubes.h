#pragma once

#include <doctest/doctest.h>

#include "geometry/mesh/primitives.h"
#include "geometry/nurbs/primitives.h"
#include "methods/clusters/clusters.h"
#include "methods/groups/groups.h"
#include "methods/meshless/meshless.h"
#include "methods/nurbs/nurbs.h"
#include "methods/registry.h"
#include "methods/tets/tets.h"

// For tests over all registered methods: a new method enters them by being registered.

namespace pliant::test {

/// A cube of this size, its centre at `place`.
inline Body cube(const std::string& method, double size, const Vec3& place, double density = 1000,
                 double damping = 30) {
  Solid solid;
  solid.name = method;
  solid.surface = box_mesh(Vec3::Constant(size), size / 4);
  for (Vec3& p : solid.surface.points) p += place;
  solid.material = elastic_material(2e5, 0.4, density, damping);
  const std::unique_ptr<MethodSettings> settings = find_method(method)->settings();
  // Small bodies: four cells a side are enough to touch with. Methods not named here take their
  // default.
  if (auto* tets = dynamic_cast<tets::Settings*>(settings.get())) tets->cells = 64;
  if (auto* groups = dynamic_cast<groups::Settings*>(settings.get())) groups->cells = 64;
  if (auto* clusters = dynamic_cast<clusters::Settings*>(settings.get())) clusters->particles = 250;
  if (auto* meshless = dynamic_cast<meshless::Settings*>(settings.get()))
    meshless->spacing = size / 4;
  if (auto* nurbs = dynamic_cast<nurbs::Settings*>(settings.get())) {
    solid.patches = nurbs_box(Vec3::Constant(size));
    for (NurbsPatch& patch : solid.patches)
      for (Vec3& pole : patch.pole) pole += place;
    nurbs->kinematics.coarsest = 0.35;
    nurbs->kinematics.voxels = 512;
  }
  return settings->create(solid);
}

template <class Test>
void for_each_pair(const Test& test) {
  for (const MethodKind& a : registered_methods())
    for (const MethodKind& b : registered_methods()) {
      INFO(std::string(a.name) << " and " << std::string(b.name));
      test(a.name, b.name);
    }
}

}  // namespace pliant::test
