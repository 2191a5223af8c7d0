#include <doctest/doctest.h>

#include "geometry/mesh/fish.h"
#include "geometry/mesh/test_models.h"
#include "geometry/mesh/topology.h"
#include "geometry/query/penetration.h"
#include "studies/method_cubes.h"
#include "world/world.h"

// Contact touches surfaces coarser than those that are drawn. What is seen must not cross all the
// same: one body is thrown at another, and every frame is looked at.

using namespace pliant;

namespace {

/// How deep a drawn vertex of one body lies inside the other [m].
double deepest(const Body& one, const Body& other) {
  const Skin& asked = other.drawn_skin();
  return deepest_inside(one.drawn_skin().position, {asked.position, asked.triangles, {}});
}

TriangleMesh sized(TriangleMesh mesh, const Vec3& place) {
  const Box box = bounds(mesh.points);
  for (Vec3& p : mesh.points) p = (p - box.centre()) / box.extent().maxCoeff() + place;
  return mesh;
}

Body soft(const std::string& method, TriangleMesh surface, int cells) {
  Solid solid;
  solid.name = method;
  solid.surface = std::move(surface);
  solid.material = elastic_material(1e5, 0.4, 1000, 4);
  const std::unique_ptr<MethodSettings> settings = find_method(method)->settings();
  if (auto* tets = dynamic_cast<tets::Settings*>(settings.get())) tets->cells = cells;
  if (auto* groups = dynamic_cast<groups::Settings*>(settings.get())) groups->cells = cells;
  if (auto* meshless = dynamic_cast<meshless::Settings*>(settings.get()))
    meshless->particles = cells;
  return settings->create(solid);
}

/// Thrown from above onto one that lies on the floor.
void check_throw(Body&& below, Body&& above, int frames) {
  World world;
  world.bodies.push_back(std::move(below));
  world.bodies.push_back(std::move(above));
  world.contact.settings.touch = Touches::all;
  Collider& floor = world.colliders.emplace_back();
  floor.shape = PlaneShape{};
  floor.placement.position.y() = bounds(world.bodies[0].skin.position).low.y() - 0.02;
  for (Vec3& v : world.bodies[1].nodes.velocity) v = {0.3, -3, 0.1};
  world.substeps = advise_substeps(world, 1.0 / 60).substeps;
  double stated = 0, spacing = 0;
  for (const Body& body : world.bodies) {
    REQUIRE(body.drawn);  // else there is nothing to ask
    stated = std::max(stated, body.drawn->distance);
    spacing = std::max(spacing, body.spacing);
  }
  double worst = 0;
  int contacts = 0;
  for (int f = 0; f < frames; ++f) {
    contacts += world.step(1.0 / 60).contacts;
    worst = std::max({worst, deepest(world.bodies[0], world.bodies[1]),
                      deepest(world.bodies[1], world.bodies[0])});
  }
  CHECK(contacts > 0);
  CAPTURE(worst / spacing);
  CAPTURE(stated / spacing);
  CHECK(worst <= stated + 0.01 * spacing);
}

}  // namespace

TEST_CASE(
    "drawn skins cross by no more than their distance from what touches, whatever the method") {
  for (const char* method : {"tets", "groups", "meshless", "rigid"}) {
    CAPTURE(std::string(method));
    check_throw(soft(method, sized(sphere_mesh(1, 0.035), {0, 0, 0}), 200),
                soft("tets", sized(torus_mesh(1, 0.4, 0.06), {0.2, 0.8, 0}), 200), 30);
  }
}

TEST_CASE("drawn skins of models cross by no more than their distance from what touches") {
  auto models = test::real_models();
  std::erase_if(models, [](const auto& model) { return !is_closed(model.mesh); });
  if (models.size() < 2) MESSAGE("no models: PLIANT_MODELS names no folder that has some");
  for (std::size_t i = 0; i + 1 < models.size(); ++i) {
    CAPTURE(models[i].name);
    check_throw(soft("tets", sized(models[i].mesh, {0, 0, 0}), 300),
                soft("tets", sized(models[i + 1].mesh, {0.1, 1.1, 0}), 300), 40);
  }
}
