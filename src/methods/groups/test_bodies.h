#pragma once

#include "body/make_skin.h"
#include "geometry/sample/tet_block.h"
#include "math/test_random.h"
#include "methods/groups/groups_method.h"
#include "methods/groups/hex_groups.h"
#include "methods/groups/measure_shapes.h"

// Groups and blocks of them, and ways to move them, for the tests of this folder.

namespace pliant::groups {

using test::random_vector;

inline Material material(double young, double poisson, double damping = 0) {
  return elastic_material(young, poisson, 1000, damping);
}

inline Solid solid_of(const Material& material) {
  Solid solid;
  solid.material = material;
  return solid;
}

/// A block of cells, its points moved by up to `jitter` of a cell.
inline TetMesh block_mesh(const Eigen::Vector3i& cells, const Vec3& size, double jitter = 0) {
  TetMesh mesh = tet_block(cells, size);
  const Vec3 cell = size.cwiseQuotient(cells.cast<double>());
  for (std::size_t i = 0; i < mesh.points.size() && jitter > 0; ++i)
    mesh.points[i] += jitter * cell.cwiseProduct(random_vector(9, i));
  return mesh;
}

inline Body block(const Eigen::Vector3i& cells, const Vec3& size, const Material& made_of,
                  const Settings& settings = {}, double jitter = 0) {
  const TetMesh mesh = block_mesh(cells, size, jitter);
  const std::vector<Material> materials = {made_of};
  return make_body(hex_groups(mesh, {}, {}, solid_of(made_of)), materials, boundary_skin(mesh),
                   settings);
}

inline Settings plain() {
  Settings settings;
  settings.kernel = Kernel::plain;
  return settings;
}

/// Any n points about the origin, of unequal masses, as one group of 0.5 m^3.
inline Groups one_group(int n, std::uint64_t seed) {
  Groups groups;
  std::vector<int> members;
  for (int i = 0; i < n; ++i) {
    groups.rest.push_back(random_vector(seed, i));
    groups.mass.push_back(0.5 + random_unit(seed + 1, std::uint64_t(i)));
    members.push_back(i);
  }
  groups.add(members, 0.5, 0);
  return groups;
}

/// One substep of a body alone in the world.
inline void substep(Body& body, double h, double& time, const Vec3& gravity = Vec3::Zero()) {
  const Substep step{h, time};
  drive(body, gravity, time + h);
  body.method->advance(body.nodes, step);
  body.method->finish(body.nodes, step);
  time += h;
}

/// Holds every node whose x is at most `upto`.
inline Handle pin_left(const Body& body, double upto = 0) {
  Handle handle;
  for (int i = 0; i < body.nodes.size(); ++i)
    if (body.nodes.position[i].x() <= upto) {
      handle.nodes.push_back(i);
      handle.rest.push_back(body.nodes.position[i]);
    }
  return handle;
}

}  // namespace pliant::groups
