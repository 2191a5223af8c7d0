#include "studies/blocks.h"

#include "geometry/sample/crazy_block.h"
#include "geometry/sample/tet_block.h"

namespace pliant {

World block_world(const BlockSetup& setup) {
  const Material material =
      elastic_material(setup.young, setup.poisson, setup.density, setup.damping);
  World world;
  world.gravity = Vec3::Zero();
  world.substeps = setup.substeps;
  world.contact.settings.touch = Touches::bodies;  // what is studied is elasticity alone
  tets::Settings settings;
  settings.kernel = setup.kernel;
  settings.displacement_cap = setup.displacement_cap;
  settings.recovery = setup.recovery;
  settings.law = setup.law;
  const TetMesh mesh = setup.crazy ? crazy_block(setup.cells.x(), setup.size.x())
                                   : tet_block(setup.cells, setup.size);
  world.bodies.push_back(tets::make_body(mesh, material, settings));
  world.bodies.back().name = "block";
  return world;
}

std::vector<int> nodes_at(const World& world, int axis, double coordinate) {
  const std::vector<Vec3>& position = world.bodies[0].nodes.position;
  std::vector<int> found;
  for (int i = 0; i < int(position.size()); ++i)
    if (std::abs(position[i][axis] - coordinate) < 1e-9) found.push_back(i);
  return found;
}

Handle& hold(World& world, const std::vector<int>& nodes) {
  Body& body = world.bodies[0];
  Handle handle;
  handle.nodes = nodes;
  for (const int node : nodes) handle.rest.push_back(body.nodes.position[node]);
  body.handles.push_back(std::move(handle));
  return body.handles.back();
}

void pull_face(World& world, int axis, double coordinate, const Vec3& traction) {
  Body& body = world.bodies[0];
  const std::vector<Vec3>& rest = body.skin.rest;
  Load load;
  load.vector = traction;
  for (const Triangle& t : body.skin.triangles) {
    bool on_face = true;
    for (const int v : t) on_face = on_face && std::abs(rest[v][axis] - coordinate) < 1e-9;
    if (!on_face) continue;
    const double area = 0.5 * (rest[t[1]] - rest[t[0]]).cross(rest[t[2]] - rest[t[0]]).norm();
    for (const int v : t) {
      load.vertices.push_back(v);
      load.share.push_back(area / 3);
    }
  }
  body.loads.push_back(std::move(load));
}

void pull_apart(World& world, double traction) {
  for (const double side : {0.0, 1.0})
    pull_face(world, 0, side, {side == 0 ? -traction : traction, 0, 0});
}

void play(World& world, int frames) {
  for (int frame = 0; frame < frames; ++frame) world.step(1.0 / 60);
}

}  // namespace pliant
