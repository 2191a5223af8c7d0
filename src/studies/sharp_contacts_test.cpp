#include <doctest/doctest.h>
#include <numbers>

#include "methods/rigid/test_bodies.h"
#include "methods/tets/tets.h"
#include "studies/sharp_shapes.h"
#include "world/world.h"

// Where surfaces have no normal: tips, ridges, grooves, rims (the set-ups of Erleben 2018,
// "Methodology for assessing mesh-based contact point methods"). Soft and rigid, against each other
// and against colliders.

using namespace pliant;
using namespace pliant::test;

namespace {

constexpr double frame = 1.0 / 60;
constexpr double g = 9.81;
constexpr double edge = 0.05;
constexpr double drop = 0.03;  // [m] onto what is below

enum class Kind { soft, rigid, collider };
const char* name(Kind kind) {
  return kind == Kind::soft ? "soft" : kind == Kind::rigid ? "rigid" : "collider";
}

TriangleMesh moved(TriangleMesh mesh, const Vec3& place, double about_x = 0, double about_y = 0) {
  const Quat turn = Quat(Eigen::AngleAxisd(about_y, Vec3::UnitY())) *
                    Quat(Eigen::AngleAxisd(about_x, Vec3::UnitX()));
  for (Vec3& p : mesh.points) p = turn * p + place;
  return mesh;
}

struct Setup {
  const char* name;
  TriangleMesh falling, below;
};

std::vector<Setup> setups() {
  constexpr double upside_down = std::numbers::pi, quarter = std::numbers::pi / 2;
  const double h = drop;
  const TriangleMesh tip = spike(0.2, 0.25, edge), roof = wedge(0.2, 0.25, 0.3, edge);
  const TriangleMesh groove = crack(0.24, 0.25, 0.4, 0.06, edge);
  const TriangleMesh box = box_mesh(Vec3::Constant(0.2), edge);
  return {
      {"spike on spike", moved(tip, {0, h, 0}, upside_down), tip},
      {"spike on spike, off centre", moved(tip, {0.02, h, 0.011}, upside_down, 0.3), tip},
      {"spike on wedge", moved(tip, {0, h, 0.017}, upside_down), roof},
      {"wedge on wedge", moved(roof, {0, h, 0}, upside_down), roof},
      {"wedge across wedge", moved(roof, {0.01, h, 0.02}, upside_down, quarter), roof},
      {"spike in crack", moved(tip, {0.03, 0.15 + h, 0.01}, upside_down), groove},
      {"wedge in crack", moved(roof, {0.03, 0.15 + h, 0}, upside_down), groove},
      {"block over a cliff", moved(box, {0.14, 0.1 + h, 0}),
       moved(box_mesh(Vec3(0.4, 0.25, 0.4), edge), {0, -0.125, 0})},
      {"block in a pit", moved(box, {0, 0.1 + h, 0}, 0, 0.05), pit(0.22, 0.1, 0.06, edge)},
      {"block in a channel", moved(box, {0, 0.1 + h, 0}, 0, 0.05),
       channel(0.22, 0.1, 0.3, 0.06, edge)},
      {"wedge on a corner", moved(roof, {0.19, h, 0.19}, upside_down, 0.785),
       moved(box_mesh(Vec3(0.4, 0.25, 0.4), edge), {0, -0.125, 0})},
  };
}

Body body_of(const TriangleMesh& surface, Kind kind) {
  Solid solid;
  solid.name = name(kind);
  solid.surface = surface;
  solid.material = elastic_material(1e5, 0.4, 1000, 20);
  if (kind == Kind::rigid) return rigid::Settings{}.create(solid);
  solid.contact_detail = 100;  // as sharp as given: a coarser surface has longer edges to dig in
  tets::Settings settings;
  settings.cell_size = edge;
  return settings.create(solid);
}

/// Held below.
void hold(Body& body) {
  Handle handle;
  const Box box = bounds(body.skin.position);
  const double level = box.low.y() + 0.25 * box.extent().y();
  for (int i = 0; i < body.nodes.size(); ++i)
    if (body.deforms && body.nodes.position[i].y() < level) {
      handle.nodes.push_back(i);
      handle.rest.push_back(body.nodes.position[i]);
    }
  for (int v = 0; v < body.skin.size(); ++v)
    if (body.skin.position[v].y() < level) {
      handle.vertices.push_back(v);
      handle.vertex_rest.push_back(body.skin.position[v]);
    }
  body.handles.push_back(handle);
}

double energy(const World& world) {
  double sum = 0;
  for (const Body& body : world.bodies)
    sum += kinetic_energy(body.nodes) + potential_energy(body.nodes, world.gravity) +
           body.method->measure(body.nodes).elastic_energy;
  return sum;
}

TriangleMesh surface_of(const Body& body) {
  TriangleMesh mesh;
  mesh.points = body.skin.position;
  mesh.triangles = body.skin.triangles;
  return mesh;
}

}  // namespace

TEST_CASE("sharp and hollow things do not pass through each other, nor gain energy") {
  struct Pair {
    Kind falling, below;
  };
  for (const Setup& setup : setups())
    for (const auto& [falling, below] : {Pair{Kind::soft, Kind::soft},
                                         {Kind::soft, Kind::collider},
                                         {Kind::rigid, Kind::rigid},
                                         {Kind::rigid, Kind::collider}}) {
      CAPTURE(std::string(setup.name));
      INFO(std::string(name(falling)) << " on " << std::string(name(below)));
      World world;
      world.bodies.push_back(body_of(setup.falling, falling));
      if (below == Kind::collider) {
        Collider collider;
        collider.shape = mesh_shape(setup.below);
        world.colliders.push_back(collider);
      } else {
        world.bodies.push_back(body_of(setup.below, below));
        hold(world.bodies.back());
      }
      Collider floor;
      floor.shape = PlaneShape{};
      floor.placement.position.y() = bounds(setup.below.points).low.y() - 0.01;
      world.colliders.push_back(floor);
      world.substeps = advise_substeps(world, frame).substeps;
      const Body& body = world.bodies[0];
      const double start = energy(world);
      double most = 0, deepest = 0;
      int unconverged = 0;
      const int frames = 45;
      for (int i = 0; i < frames; ++i) {
        unconverged += world.step(frame).unconverged_substeps;
        most = std::max(most, energy(world) - start);
        if (i % 3 > 0) continue;
        const TriangleMesh other =
            below == Kind::collider ? setup.below : surface_of(world.bodies[1]);
        deepest = std::max(deepest, piercing(surface_of(body), other).depth);
      }
      // Where one soft ridge digs into another, dents are as deep as the edges are long, and flat
      // edges in them are not watched.
      const bool digs = std::string(setup.name) == "wedge across wedge" && falling == Kind::soft;
      CHECK(deepest <= (digs ? 0.1 * edge : 5e-4));
      // Of the fall onto it, which is a tenth of what it falls in all.
      CHECK(most < 0.1 * drop * g * total_mass(body.nodes));
      // A rigid spike that wedges itself between two walls of a crack is the worst: 1 % to 11 %,
      // by how it happens to come in.
      CHECK(unconverged < 0.15 * frames * world.substeps);
    }
}

TEST_CASE("edges inside a flat floor are not felt: what slides over them slows by friction alone") {
  for (const Kind sliding : {Kind::soft, Kind::rigid})
    for (const Kind below : {Kind::rigid, Kind::collider}) {
      INFO(std::string(name(sliding)) << " on " << std::string(name(below)));
      const TriangleMesh ground = moved(box_mesh(Vec3(1.6, 0.1, 0.5), edge), {0.5, -0.05, 0});
      World world;
      world.bodies.push_back(
          body_of(moved(box_mesh(Vec3(0.2, 0.1, 0.2), edge), {0, 0.0515, 0.013}), sliding));
      const double friction = 0.2;
      world.bodies[0].friction = friction;
      if (below == Kind::collider) {
        Collider collider;
        collider.shape = mesh_shape(ground);
        collider.friction = friction;
        world.colliders.push_back(collider);
      } else {
        world.bodies.push_back(body_of(ground, below));
        world.bodies[1].friction = friction;
        hold(world.bodies[1]);
      }
      world.substeps = advise_substeps(world, frame).substeps;
      const Nodes& nodes = world.bodies[0].nodes;
      for (int i = 0; i < 12; ++i) world.step(frame);  // settles
      const double speed = 1.5;
      for (Vec3& v : world.bodies[0].nodes.velocity) v.x() += speed;
      const double height = centre_of_mass(nodes).y();
      const double before = momentum(nodes).x() / total_mass(nodes);
      const int frames = 30;
      double off = 0;
      for (int i = 0; i < frames; ++i) {
        world.step(frame);
        off = std::max(off, std::abs(centre_of_mass(nodes).y() - height));
      }
      const double lost = before - momentum(nodes).x() / total_mass(nodes);
      CHECK(lost == doctest::Approx(friction * g * frames * frame).epsilon(0.02));
      CHECK(off < 5e-4);
      CHECK(std::abs(centre_of_mass(nodes).z() - 0.013) < 2e-3);
    }
}
