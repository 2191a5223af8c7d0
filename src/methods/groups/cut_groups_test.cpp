#include "methods/groups/cut_groups.h"

#include <doctest/doctest.h>

#include "geometry/mesh/fish.h"
#include "geometry/mesh/primitives.h"
#include "methods/groups/test_bodies.h"

using namespace pliant;
using namespace pliant::groups;

namespace {

Solid solid_from(const TriangleMesh& surface, const Material& made_of = material(1e5, 0.45)) {
  Solid solid = solid_of(made_of);
  solid.surface = surface;
  return solid;
}

Settings about(int cells) {
  Settings settings;
  settings.cells = cells;
  settings.cut = true;
  return settings;
}

/// Of the solid inside a closed surface.
Vec3 centre_of_volume(const TriangleMesh& mesh) {
  Vec3 sum = Vec3::Zero();
  for (const Triangle& t : mesh.triangles) {
    const Vec3 &a = mesh.points[t[0]], &b = mesh.points[t[1]], &c = mesh.points[t[2]];
    sum += a.dot(b.cross(c)) / 24 * (a + b + c);
  }
  return sum / volume(mesh);
}

bool mentions(const std::vector<std::string>& lines, const std::string& text) {
  for (const std::string& line : lines)
    if (line.find(text) != std::string::npos) return true;
  return false;
}

}  // namespace

TEST_CASE("a cut body has the surface's volume, mass and centre, and its points as particles") {
  for (const TriangleMesh& surface :
       {sphere_mesh(0.5, 0.08), torus_mesh(0.5, 0.2, 0.08), fish_mesh(1, 0.03)}) {
    const Solid solid = solid_from(surface);
    const Body body = about(200).create(solid);
    CHECK(mentions(body.notes, "cut cells"));
    CHECK(body.method->measure(body.nodes).rest_volume ==
          doctest::Approx(volume(surface)).epsilon(1e-12));
    CHECK(total_mass(body.nodes) == doctest::Approx(1000 * volume(surface)).epsilon(1e-12));
    CHECK((centre_of_mass(body.nodes) - centre_of_volume(surface)).norm() <
          2e-3 * body.contact_scale);
    for (const double mass : body.nodes.mass) CHECK(mass > 0);
    // The given points come first, on particles of their own that lie exactly there.
    const int given = int(surface.points.size());
    REQUIRE(body.drawn_skin().size() >= given);
    for (int v = 0; v < body.drawn_skin().size(); ++v) {
      REQUIRE(body.drawn_skin().weights.start[v + 1] == v + 1);
      CHECK(body.drawn_skin().weights.node[v] == v);
      CHECK(body.drawn_skin().rest[v] == body.nodes.position[v]);
      if (v < given) CHECK(body.drawn_skin().rest[v] == surface.points[v]);
    }
    CHECK(volume(body.drawn_skin()) == doctest::Approx(volume(surface)).epsilon(1e-12));
  }
}

TEST_CASE("cut cells feel an affine deformation exactly") {
  Body body = about(150).create(solid_from(torus_mesh(0.5, 0.2, 0.1)));
  Mat3 F;
  F << 1.1, 0.2, 0, -0.1, 0.9, 0.3, 0.05, 0, 1.2;
  for (Vec3& p : body.nodes.position) p = F * p + Vec3(1, 2, 3);
  std::vector<double> J;
  REQUIRE(body.method->element_field("J", body.nodes, J));
  for (const double ratio : J) CHECK(ratio == doctest::Approx(F.determinant()).epsilon(1e-9));
}

TEST_CASE("a cut body stays at rest, keeps its momentum, and comes back to its shape") {
  for (const Kernel kernel : {Kernel::plain, Kernel::wide}) {
    Settings settings = about(120);
    settings.kernel = kernel;
    Body body = settings.create(solid_from(fish_mesh(1, 0.04), material(2e4, 0.45, 5)));
    const std::vector<Vec3> rest = body.nodes.position;
    double time = 0;
    for (int i = 0; i < 20; ++i) substep(body, 1e-3, time);
    double moved = 0;
    for (int n = 0; n < body.nodes.size(); ++n)
      moved = std::max(moved, (body.nodes.position[n] - rest[n]).norm());
    CHECK(moved < 1e-5);

    for (int n = 0; n < body.nodes.size(); ++n)
      body.nodes.velocity[n] = 0.5 * random_vector(3, n) + Vec3(0.2, 0, 0);
    const Vec3 before = momentum(body.nodes);
    for (int i = 0; i < 1000; ++i) substep(body, 1e-3, time);
    CHECK((momentum(body.nodes) - before).norm() < 1e-4 * before.norm());
    const Measures now = body.method->measure(body.nodes);
    CHECK(now.inverted == 0);
    CHECK(now.volume == doctest::Approx(now.rest_volume).epsilon(0.01));
    CHECK(volume(body.drawn_skin()) > 0);
  }
}

TEST_CASE("the fast kernel moves cut cells like the plain one") {
  std::vector<Vec3> end[2];
  for (const Kernel kernel : {Kernel::plain, Kernel::wide}) {
    Settings settings = about(100);
    settings.kernel = kernel;
    Body body = settings.create(solid_from(sphere_mesh(0.5, 0.1), material(1e5, 0.45, 1)));
    for (Vec3& p : body.nodes.position) p.y() *= 1.05;
    double time = 0;
    for (int i = 0; i < 400; ++i) substep(body, 5e-4, time);
    end[int(kernel == Kernel::wide)] = body.nodes.position;
  }
  // Another order of the groups is another way to the same motion.
  double apart = 0;
  for (std::size_t n = 0; n < end[0].size(); ++n)
    apart = std::max(apart, (end[0][n] - end[1][n]).norm());
  CHECK(apart < 2e-3);
}

TEST_CASE("a surface with seams is cut as if it were welded, and keeps its points") {
  // Every triangle with points of its own.
  const TriangleMesh whole = sphere_mesh(0.5, 0.1);
  TriangleMesh torn;
  for (const Triangle& t : whole.triangles) {
    Triangle own;
    for (int k = 0; k < 3; ++k) {
      own[k] = int(torn.points.size());
      torn.points.push_back(whole.points[t[k]]);
    }
    torn.triangles.push_back(own);
  }
  const Body body = about(25).create(solid_from(torn));
  CHECK(mentions(body.notes, "cut cells"));
  CHECK(body.drawn_skin().triangles.size() == torn.triangles.size());
  std::vector<Vec3> position = body.drawn_skin().position;
  body.drawn_skin().weights.gather(body.nodes.position, position);
  for (std::size_t v = 0; v < torn.points.size(); ++v) CHECK(position[v] == torn.points[v]);
  CHECK(body.nodes.size() < int(torn.points.size()) / 5);
}

TEST_CASE("the skin of a cut body gives way to a push on one vertex as a solid would") {
  // A force f on a spot of size d goes in by about f / (E d), however many vertices a cell has.
  for (const double edge : {0.1, 0.04}) {
    const double young = 1e5, force = 0.1 * young * edge * edge;
    Body body = about(64).create(solid_from(box_mesh({1, 1, 1}, edge), material(young, 0.3, 30)));
    Handle floor;
    int pushed = 0;
    const Vec3 top(0, 0.5, 0);
    for (int i = 0; i < body.nodes.size(); ++i) {
      const Vec3& p = body.nodes.position[i];
      if ((p - top).norm() < (body.nodes.position[pushed] - top).norm()) pushed = i;
      if (p.y() > -0.45) continue;
      floor.nodes.push_back(i);
      floor.rest.push_back(p);
    }
    body.handles.push_back(floor);
    const Vec3 rest = body.nodes.position[pushed];
    Load load;
    load.kind = Load::Kind::force;
    load.vertices = {pushed};
    load.share = {1};
    load.vector = {0, -force, 0};
    body.loads.push_back(load);
    double time = 0;
    for (int i = 0; i < 800; ++i) substep(body, 1e-3, time);
    const double depth = rest.y() - body.nodes.position[pushed].y();
    INFO("edge " << edge << ", " << depth * young * edge / force << " f / (E d)");
    CHECK(depth > 0.1 * force / (young * edge));
    CHECK(depth < 1.5 * force / (young * edge));
  }
}

TEST_CASE("surfaces that cannot be cut hang in whole cells, and the body says why") {
  TriangleMesh open = sphere_mesh(0.5, 0.15);
  open.triangles.pop_back();
  const Body body = about(60).create(solid_from(open));
  CHECK(mentions(body.notes, "is open: 3 edges have one triangle only"));
  CHECK(mentions(body.notes, "whole cells"));
  CHECK(!mentions(body.notes, "cut cells"));
  Settings whole = about(60);
  whole.cut = false;
  const Body asked = whole.create(solid_from(sphere_mesh(0.5, 0.15)));
  CHECK(!mentions(asked.notes, "cut"));
}

TEST_CASE("parts of other materials weigh what they should") {
  Solid solid = solid_from(box_mesh({2, 1, 1}, 0.25));
  Region right;
  right.half_space = Region::HalfSpace{Vec3(0.001, 0, 0), Vec3::UnitX()};
  Material heavy = solid.material;
  heavy.density = 3000;
  solid.parts.push_back({right, heavy});
  Settings settings;
  settings.cell_size = 0.25;
  settings.cut = true;
  const Body body = settings.create(solid);
  // A row of cells lies across the middle and is one or the other.
  CHECK(total_mass(body.nodes) == doctest::Approx(1000 + 3000).epsilon(0.08));
}

TEST_CASE("a cut bar bends like one of whole cells") {
  const auto sag = [](bool cut) {
    Settings settings;
    settings.cut = cut;
    settings.cells = cut ? 60 : 256;
    Solid solid = solid_of(material(2e5, .3, 20));
    solid.surface = box_mesh({0.8, 0.2, 0.2}, 0.04);
    Body body = settings.create(solid);
    Handle held;
    for (int i = 0; i < body.nodes.size(); ++i) {
      if (body.nodes.position[i].x() > -0.38) continue;
      held.nodes.push_back(i);
      held.rest.push_back(body.nodes.position[i]);
    }
    REQUIRE(!held.nodes.empty());
    body.handles.push_back(held);
    double time = 0;
    for (int i = 0; i < 2400; ++i) substep(body, 1.0 / 1200, time, {0, -9.81, 0});
    body.drawn_skin().refresh(body.nodes.position);
    double sum = 0;
    int count = 0;
    for (int v = 0; v < body.drawn_skin().size(); ++v) {
      if (body.drawn_skin().rest[v].x() < 0.39) continue;
      sum += body.drawn_skin().rest[v].y() - body.drawn_skin().position[v].y();
      ++count;
    }
    return sum / count;
  };
  const double cut = sag(true), whole = sag(false);
  INFO("cut " << cut << " m, whole " << whole << " m");
  CHECK(std::abs(cut / whole - 1) < 0.15);
}
