#pragma once

#include "geometry/mesh/primitives.h"
#include "methods/meshless/meshless.h"

// Bodies and ways to load them, for the tests of this folder.

namespace pliant::meshless {

inline Solid solid_of(const TriangleMesh& surface, const Material& material) {
  Solid solid;
  solid.name = "solid";
  solid.surface = surface;
  solid.material = material;
  return solid;
}

/// The settings of the paper's experiments: its law.
inline Settings paper_settings() {
  Settings settings;
  settings.law = galerkin::Law::Kind::corotated;
  return settings;
}

/// The paper's beam, 20 x 20 x 200 mm along z, about the origin; `across` particles a side. SI.
inline Body paper_beam(int across, Settings settings = paper_settings(), double poisson = 0.45) {
  settings.spacing = 0.02 / (across - 1);
  return settings.create(
      solid_of(box_mesh({0.02, 0.02, 0.2}, 0.005), elastic_material(50e6, poisson, 1000)));
}

/// Holds the particles whose rest coordinate along the axis is this.
inline void hold_at(Body& body, int axis, double coordinate) {
  for (int n = 0; n < body.nodes.size(); ++n)
    if (std::abs(body.nodes.position[n][axis] - coordinate) < 1e-9) {
      body.nodes.held[n] = 1;
      body.nodes.target[n] = body.nodes.position[n];
    }
}

/// A force spread evenly over the end z = `end` of a 20 x 20 mm beam, at the middles of 16 x 16
/// squares: fine enough not to depend on it (the skin's own vertices give 0.5 % less stretch).
inline void load_end(Body& body, double end, const Vec3& force, double spacing) {
  const Neighbours particles(body.nodes.position, spacing);
  constexpr int n = 16;
  for (int i = 0; i < n * n; ++i) {
    const Vec3 at(0.02 * ((i % n + 0.5) / n - 0.5), 0.02 * ((i / n + 0.5) / n - 0.5), end);
    const Shape shape = shape_at(particles, at);
    for (std::size_t k = 0; k < shape.node.size(); ++k)
      body.nodes.force[shape.node[k]] += shape.value[k] / (n * n) * force;
  }
}

/// Where the body's own functions carry a point of its rest shape.
inline Vec3 moved(const Body& body, const Vec3& rest_point, double spacing,
                  const std::vector<Vec3>& rest) {
  const Shape shape = shape_at(Neighbours(rest, spacing), rest_point);
  Vec3 sum = Vec3::Zero();
  for (std::size_t i = 0; i < shape.node.size(); ++i)
    sum += shape.value[i] * body.nodes.position[shape.node[i]];
  return sum;
}

}  // namespace pliant::meshless
