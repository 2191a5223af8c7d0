#pragma once

#include "core/archive.h"
#include "geometry/mesh/primitives.h"
#include "methods/clusters/clusters.h"
#include "methods/clusters/clusters_method.h"

// Bodies of clusters, and ways to move them, for the tests of this folder.

namespace pliant::clusters {

inline Material dough(double yield_strain = 0.03, double flow = 30) {
  Material material = elastic_material(3e5, 0.45, 1000, 2);
  if (flow > 0) {
    material.plastic.emplace();
    material.plastic->yield_strain = yield_strain;
    material.plastic->flow = flow;
  }
  return material;
}

/// A box filled with particles `radius` apart.
inline Body box_of(const Vec3& size, double radius, const Material& material,
                   bool resample = true) {
  Solid solid;
  solid.name = "box";
  solid.surface = box_mesh(size, 2 * radius);
  solid.material = material;
  Settings settings;
  settings.radius = radius;
  settings.resample = resample;
  return settings.create(solid);
}

inline const Matter& matter_of(const Body& body) {
  return static_cast<const ClustersMethod&>(*body.method).matter();
}

/// Steps of 1/60 s without contact; `drive(time)` before each substep.
template <class Drive>
void move(Body& body, int frames, int substeps, const Vec3& gravity, const Drive& drive,
          double fps = 60) {
  double time = 0;
  for (int f = 0; f < frames; ++f) {
    for (int s = 0; s < substeps; ++s) {
      const Substep substep{1 / (fps * substeps), time, s + 1 == substeps};
      time += substep.h;
      drive(time);
      apply_loads(body, gravity, time);
      body.method->advance(body.nodes, substep);
      body.nodes.load.assign(body.nodes.load.size(), Vec3::Zero());
      body.method->finish(body.nodes, substep);
    }
    const Changes changes = body.method->adapt(body.nodes, body.skin, 1 / fps);
    if (changes.any()) follow(body, changes);
    body.skin.refresh(body.nodes.position);
  }
}
inline void move(Body& body, int frames, int substeps = 20, const Vec3& gravity = Vec3::Zero()) {
  move(body, frames, substeps, gravity, [](double) {});
}

}  // namespace pliant::clusters
