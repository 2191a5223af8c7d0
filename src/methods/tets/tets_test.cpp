#include "methods/tets/tets.h"

#include <cstring>
#include <doctest/doctest.h>

#include "core/errors.h"
#include "geometry/mesh/primitives.h"
#include "geometry/sample/cell_grid.h"
#include "methods/tets/damping.h"
#include "methods/tets/test_bodies.h"

using namespace pliant;
using namespace pliant::tets;

namespace {

TetMesh jittered(TetMesh mesh, double by) {
  for (std::size_t i = 0; i < mesh.points.size(); ++i)
    mesh.points[i] += by * random_vector(11, int(i));
  return mesh;
}

Body wild_block(double damping = 0, Kernel kernel = Kernel::automatic) {
  Body body = make_body(block(3, 3, 3, {0.3, 0.3, 0.3}), material(1e5, .45, damping), with(kernel));
  for (int i = 0; i < body.nodes.size(); ++i)
    body.nodes.velocity[i] = Vec3(1, 2, -1) + 2 * random_vector(2, i);
  return body;
}

/// Kinetic energy without that of the body as a whole, moving and turning.
double inner_energy(const Nodes& nodes) {
  const Vec3 centre = centre_of_mass(nodes);
  const Vec3 drift = momentum(nodes) / total_mass(nodes);
  Mat3 inertia = Mat3::Zero();
  Vec3 turning = Vec3::Zero();
  for (int i = 0; i < nodes.size(); ++i) {
    const Vec3 r = nodes.position[i] - centre;
    turning += nodes.mass[i] * r.cross(nodes.velocity[i]);
    inertia += nodes.mass[i] * (r.squaredNorm() * Mat3::Identity() - r * r.transpose());
  }
  const Vec3 spin = angular_velocity(inertia, turning);
  double sum = 0;
  for (int i = 0; i < nodes.size(); ++i)
    sum += 0.5 * nodes.mass[i] *
           (nodes.velocity[i] - drift - spin.cross(nodes.position[i] - centre)).squaredNorm();
  return sum;
}

}  // namespace

/// How far the shape, and how far the body as a whole, got away from rest: root mean squares.
struct Strayed {
  double shape = 0, whole = 0;
};
Strayed strayed(const Nodes& nodes, const std::vector<Vec3>& rest) {
  // The rigid part of the displacements, as if they were velocities.
  Nodes moves = nodes;
  double all = 0;
  for (int i = 0; i < nodes.size(); ++i) {
    moves.position[i] = rest[i];
    moves.velocity[i] = nodes.position[i] - rest[i];
    all += nodes.mass[i] * moves.velocity[i].squaredNorm();
  }
  const double shape = 2 * inner_energy(moves), mass = total_mass(nodes);
  return {std::sqrt(shape / mass), std::sqrt(std::max(0.0, all - shape) / mass)};
}

TEST_CASE("rest stays at rest, soft or stiff, compressible or not") {
  const double length = 0.1;
  const TetMesh mesh = jittered(block(2, 2, 2, Vec3::Constant(2 * length)), 0.02);
  for (const Kernel kernel : all_kernels)
    for (const double young : {1e3, 1e5, 1e7, 1e9})
      for (const double poisson : {0.0, 0.3, 0.45, 0.5}) {
        INFO("kernel " << int(kernel) << ", E " << young << ", nu " << poisson);
        Body body = make_body(mesh, material(young, poisson), with(kernel));
        double time = 0;
        for (int i = 0; i < 1000; ++i) substep(body, 1.0 / 1200, time);
        const Strayed away = strayed(body.nodes, mesh.points);
        INFO("shape " << away.shape / length << ", whole " << away.whole / length);
        // Floats: the shape stays, but tets at the guard's limit turn the whole a little.
        CHECK(away.shape < (kernel == Kernel::plain ? 1e-10 : 1e-5) * length);
        CHECK(away.whole < (kernel == Kernel::plain ? 1e-10 : young < 1e6 ? 1e-5 : 5e-4) * length);
      }
}

TEST_CASE("momentum of a free body drifts by rounding only") {
  for (const double damping : {0.0, 5.0}) {
    Body body = wild_block(damping, Kernel::plain);
    const Vec3 before = momentum(body.nodes);
    double scale = 0;
    for (int i = 0; i < body.nodes.size(); ++i)
      scale += body.nodes.mass[i] * body.nodes.velocity[i].norm();
    double time = 0;
    for (int i = 0; i < 1000; ++i) substep(body, 1.0 / 1200, time);
    CHECK((momentum(body.nodes) - before).norm() < 1e-11 * scale);
  }
}

TEST_CASE("damping calms inner motion, faster when there is more of it, and nothing else") {
  double inner[3];
  const double rates[] = {0, 5, 50};
  for (int i = 0; i < 3; ++i) {
    Body body = wild_block(rates[i], Kernel::plain);
    const Vec3 before = momentum(body.nodes);
    double time = 0;
    for (int s = 0; s < 300; ++s) substep(body, 1.0 / 1200, time);
    inner[i] = inner_energy(body.nodes);
    CHECK((momentum(body.nodes) - before).norm() < 1e-11 * before.norm());
  }
  CHECK(inner[1] < 0.9 * inner[0]);
  CHECK(inner[2] < 0.5 * inner[1]);
}

TEST_CASE("the damping rate does not depend on the substep's length") {
  double inner[2];
  for (const int i : {0, 1}) {
    // Hardly any stiffness: only damping acts on the velocities.
    Body body = make_body(block(3, 3, 3, {0.3, 0.3, 0.3}), material(1e-3, .3, 5));
    for (int n = 0; n < body.nodes.size(); ++n) body.nodes.velocity[n] = 1e-3 * random_vector(2, n);
    double time = 0;
    const int count = i == 0 ? 200 : 400;
    for (int s = 0; s < count; ++s) substep(body, 0.2 / count, time);
    inner[i] = kinetic_energy(body.nodes);
  }
  CHECK(inner[0] == doctest::Approx(inner[1]).epsilon(0.02));
}

TEST_CASE("velocities that are left to the next substep are the same, even of released nodes") {
  const double h = 1e-3;
  for (const Kernel kernel : all_kernels)
    for (const double damping : {0.0, 20.0}) {
      CAPTURE(int(kernel));
      CAPTURE(damping);
      Body at_once = wild_block(damping, kernel), late = wild_block(damping, kernel);
      for (Body* body : {&at_once, &late}) {
        body->handles = {pin_left(*body)};
        body->handles[0].release = 5.5 * h;
      }
      double off = 0;
      for (int i = 0; i < 12; ++i) {
        for (Body* body : {&at_once, &late}) {
          const Substep step{h, h * i, body == &at_once || i == 11};
          drive(*body, {0, -9.81, 0}, h * (i + 1));
          body->method->advance(body->nodes, step);
          body->method->finish(body->nodes, step);
        }
        for (int n = 0; n < late.nodes.size(); ++n)
          off = std::max(off, (late.nodes.position[n] - at_once.nodes.position[n]).norm());
      }
      CHECK(off < 1e-9);
      for (int n = 0; n < late.nodes.size(); ++n)
        CHECK((late.nodes.velocity[n] - at_once.nodes.velocity[n]).norm() < 1e-6);
    }
}

TEST_CASE("respond keeps its promises to contact: linear, symmetric, bounded, held") {
  Body body = wild_block();
  body.handles.push_back(pin_left(body));
  Nodes& nodes = body.nodes;
  drive(body, {0, -9.81, 0}, 1e-3);
  body.method->advance(nodes, {1e-3, 0});
  nodes.free = nodes.position;  // as contact does
  const auto respond = [&](int seed, double scale) {
    for (int i = 0; i < nodes.size(); ++i) nodes.load[i] = scale * random_vector(seed, i);
    body.method->respond(nodes);
    std::vector<Vec3> moved;
    for (int i = 0; i < nodes.size(); ++i) moved.push_back(nodes.position[i] - nodes.free[i]);
    return moved;
  };
  for (int seed = 0; seed < 20; ++seed) {
    const std::vector<Vec3> u = respond(seed, 1), w = respond(seed + 100, 1),
                            twice = respond(seed, 2);
    double uBw = 0, wBu = 0, uBu = 0, bound = 0;
    for (int i = 0; i < nodes.size(); ++i) {
      const Vec3 load_u = random_vector(seed, i), load_w = random_vector(seed + 100, i);
      uBw += load_u.dot(w[i]);
      wBu += load_w.dot(u[i]);
      uBu += load_u.dot(u[i]);
      bound += nodes.mobility[i] * load_u.squaredNorm();
      CHECK((twice[i] - 2 * u[i]).norm() < 1e-12);
      CHECK(nodes.mobility[i] == (nodes.held[i] ? 0 : 1 / nodes.mass[i]));
      if (nodes.held[i]) CHECK(u[i].norm() == 0);
    }
    CHECK(std::abs(uBw - wBu) < 1e-10 * bound);
    CHECK(uBu >= 0);
    CHECK(uBu <= bound * (1 + 1e-9));
  }
  const std::vector<Vec3> previous = nodes.previous, velocity = nodes.velocity;
  nodes.load.assign(nodes.load.size(), Vec3::Zero());
  body.method->respond(nodes);
  CHECK(nodes.position == nodes.free);
  CHECK(nodes.previous == previous);
  CHECK(nodes.velocity == velocity);
}

TEST_CASE("held nodes follow their handle exactly and have its velocity") {
  Body body = make_body(block(2, 1, 1, {0.2, 0.1, 0.1}), material(1e5, .45));
  Handle handle = pin_left(body);
  handle.motion.keys = {{0, Vec3::Zero(), Quat::Identity()}, {1, Vec3(0, 2, 0), Quat::Identity()}};
  body.handles.push_back(handle);
  double time = 0;
  for (int i = 0; i < 100; ++i) substep(body, 1e-3, time);
  for (std::size_t i = 0; i < handle.nodes.size(); ++i) {
    const int node = handle.nodes[i];
    CHECK((body.nodes.position[node] - handle.rest[i] - Vec3(0, 0.2, 0)).norm() < 1e-12);
    CHECK((body.nodes.velocity[node] - Vec3(0, 2, 0)).norm() < 1e-9);
  }
}

TEST_CASE("a scrambled body recovers its shape, and one squashed into a point does too") {
  for (const bool point : {false, true}) {
    // In a point all but incompressible bodies have a (spurious) energy minimum: see the README.
    Body body = make_body(block(3, 3, 3, {0.3, 0.3, 0.3}), material(1e6, point ? .5 : .49, 10));
    for (int i = 0; i < body.nodes.size(); ++i) {
      Vec3 p = 0.15 * random_vector(4, i);
      p.y() = 0;  // all in a plane
      body.nodes.position[i] = point ? Vec3(1, 1, 1) : p;
    }
    double time = 0;
    for (int i = 0; i < 1200; ++i) substep(body, 1.0 / 600, time, Vec3::Zero(), 10);
    const Measures measures = body.method->measure(body.nodes);
    CHECK(is_finite(body.nodes));
    CHECK(measures.inverted == 0);
    CHECK(measures.volume == doctest::Approx(measures.rest_volume).epsilon(1e-2));
    CHECK(measures.min_J > 0.9);
    CHECK(body.method->warnings(body.nodes, {1e-9, 0}).empty());
  }
}

TEST_CASE("a saved body goes on bit for bit") {
  const auto fresh = [] { return wild_block(3); };
  Body body = fresh();
  double time = 0;
  for (int i = 0; i < 7; ++i) substep(body, 1e-3, time);
  Archive saved = Archive::saving();
  body.archive(saved);
  Body loaded = fresh();
  Archive loading = Archive::loading(saved.bytes());
  loaded.archive(loading);
  CHECK(loading.at_end());
  double loaded_time = time;
  for (int i = 0; i < 20; ++i) {
    substep(body, 1e-3, time);
    substep(loaded, 1e-3, loaded_time);
  }
  const std::size_t bytes = body.nodes.position.size() * sizeof(Vec3);
  CHECK(std::memcmp(body.nodes.position.data(), loaded.nodes.position.data(), bytes) == 0);
  CHECK(std::memcmp(body.nodes.velocity.data(), loaded.nodes.velocity.data(), bytes) == 0);
}

TEST_CASE("the advised substeps bring 95 of 100 tets to a beta of 0.012, one fewer does not") {
  const double dt = 1.0 / 60;
  for (const double young : {1e4, 1e6, 1e8}) {
    Settings settings;
    settings.guard = 0.012;  // then the warning counts what is above
    Body body =
        make_body(jittered(block(6, 4, 4, {0.6, 0.4, 0.4}), 0.01), material(young, .4), settings);
    const StepAdvice advice = body.method->advise(body.nodes, dt);
    INFO(advice.substeps);
    CHECK(!advice.reason.empty());
    const int tets = body.method->measure(body.nodes).elements;
    const auto guarded = [&](int substeps) {
      const auto lines = body.method->warnings(body.nodes, {dt / substeps, 0});
      return lines.empty() ? 0 : std::stoi(lines[0]);
    };
    CHECK(guarded(advice.substeps) <= 0.05 * tets + 1);
    if (advice.substeps > 1) CHECK(guarded(advice.substeps - 1) >= 0.05 * tets - 1);
    CHECK(guarded(100 * advice.substeps) == 0);
  }
}

TEST_CASE("fields show stretch, volume and stress, averaged to nodes") {
  Body body = make_body(block(2, 2, 2, {1, 1, 1}), material(3e5, .5));
  for (Vec3& x : body.nodes.position) x = Vec3(2 * x.x(), x.y(), x.z());
  std::vector<double> values;
  for (const std::string& name : body.method->fields()) {
    REQUIRE(body.method->field(name, body.nodes, values));
    REQUIRE(int(values.size()) == body.nodes.size());
    // Cauchy: mu F F^T / J = 1e5 diag(4, 1, 1) / 2, so von Mises is 1e5 (4 - 1) / 2.
    const bool across = name == "stretch_2" || name == "stretch_3";
    const double expected = name == "von_mises"        ? 1.5e5
                            : name == "plastic_strain" ? 0
                            : across                   ? 1
                                                       : 2;
    for (const double value : values) CHECK(value == doctest::Approx(expected).epsilon(1e-9));
  }
  CHECK_FALSE(body.method->field("color", body.nodes, values));
  const Measures measures = body.method->measure(body.nodes);
  CHECK(measures.volume == doctest::Approx(2));
  CHECK(measures.rest_volume == doctest::Approx(1));
}

TEST_CASE("a tet mesh becomes a body with its boundary as skin and all of its mass") {
  TetMesh mesh = block(2, 2, 2, {1, 1, 1});
  mesh.points.push_back({9, 9, 9});             // belongs to nothing
  std::swap(mesh.tets[3][0], mesh.tets[3][1]);  // inside out
  mesh.tets.push_back({0, 1, 2, 2});            // flat
  const Body body = make_body(mesh, material(1e5, .3));
  CHECK(body.warnings.size() == 3);
  CHECK(body.nodes.size() == 27);
  CHECK(body.skin.size() == 26);  // not the middle one
  CHECK(body.skin.triangles.size() == 48);
  CHECK(volume(body.skin) == doctest::Approx(1));
  CHECK(total_mass(body.nodes) == doctest::Approx(1000));
  CHECK(body.contact_scale == 1);
  CHECK(body.thickness == doctest::Approx(0.0025));
  REQUIRE(body.notes.size() == 1);
  CHECK(body.notes[0] == "40 tets, 27 nodes");
  for (int v = 0; v < body.skin.size(); ++v)
    CHECK(body.skin.weights.gather(v, body.nodes.position) == body.skin.rest[v]);
}

TEST_CASE("tet meshes that cannot move are refused in words") {
  CHECK_THROWS_AS(
      make_body({{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}, {{0, 1, 2, 3}}}, material(1e5, .3)),
      InputError);
  CHECK_THROWS_AS(make_body({}, material(1e5, .3)), InputError);
  CHECK_THROWS_AS(make_body({{{0, 0, 0}}, {{0, 1, 2, 3}}}, material(1e5, .3)), InputError);
}

TEST_CASE("a part of another material has its density and stiffness") {
  Solid solid;
  solid.tets = block(4, 1, 1, {4, 1, 1});
  solid.material = material(1e4, .3);
  Solid::Part& heavy = solid.parts.emplace_back();
  heavy.region.half_space = Region::HalfSpace{{2, 0, 0}, {1, 0, 0}};
  heavy.material = material(1e4, .3, 0, 3000);
  const Body body = Settings().create(solid);
  CHECK(total_mass(body.nodes) == doctest::Approx(2 * 1000 + 2 * 3000));
}

TEST_CASE("cells that are asked of a body with tets of its own are not silently left out") {
  Solid solid;
  solid.tets = block(2, 1, 1, {2, 1, 1});
  solid.material = material(1e4, .3);
  CHECK(Settings().create(solid).warnings.empty());
  Settings settings;
  settings.cells = 100;
  const Body body = settings.create(solid);
  REQUIRE(body.warnings.size() == 1);
  CHECK(body.warnings[0].find("\"cells\" has no effect") != std::string::npos);
}

TEST_CASE("a surface becomes a body of cells, embedded where it was, with its own mass") {
  Solid solid;
  solid.surface = sphere_mesh(0.5, 0.4);  // coarser than the cells: must be refined
  solid.material = material(1e5, .45);
  Settings settings;
  settings.cells = 400;
  Body body = settings.create(solid);
  REQUIRE(body.notes.size() == 1);
  INFO(body.notes[0]);
  CHECK(body.notes[0].find(" cells of 0.1") != std::string::npos);
  const double mass = 1000 * volume(solid.surface);
  CHECK(total_mass(body.nodes) == doctest::Approx(mass).epsilon(1e-6));
  CHECK(body.method->measure(body.nodes).rest_volume == doctest::Approx(mass / 1000).epsilon(1e-6));
  CHECK(body.contact_scale == doctest::Approx(1).epsilon(0.02));

  double longest = 0, away = 0;
  for (const Triangle& t : body.skin.triangles)
    for (int k = 0; k < 3; ++k)
      longest = std::max(longest, (body.skin.rest[t[k]] - body.skin.rest[t[(k + 1) % 3]]).norm());
  for (int v = 0; v < body.skin.size(); ++v)
    away = std::max(away,
                    (body.skin.weights.gather(v, body.nodes.position) - body.skin.rest[v]).norm());
  CHECK(longest <= cell_size_for(solid.surface, 400) * (1 + 1e-9));
  CHECK(away < 1e-12);

  // Cells hardly filled are light and soft alike: falling freely deforms nothing.
  double time = 0;
  for (int i = 0; i < 200; ++i) substep(body, 1.0 / 600, time, {0, -9.81, 0});
  const Measures measures = body.method->measure(body.nodes);
  CHECK(measures.min_J == doctest::Approx(1).epsilon(1e-6));
  CHECK(momentum(body.nodes).y() == doctest::Approx(-9.81 * mass * time).epsilon(1e-6));
}

TEST_CASE("cell_size beats the number of cells, and no surface is no body") {
  Solid solid;
  solid.surface = box_mesh({1, 1, 1}, 0.5);
  solid.material = material(1e5, .45);
  Settings settings;
  settings.cell_size = 0.25;
  CHECK(settings.create(solid).notes[0] == "64 cells of 0.25 m, 320 tets, 125 nodes");
  solid.surface = {};
  CHECK_THROWS_AS(settings.create(solid), InputError);
  CHECK_THROWS_AS(Settings().create(solid), InputError);
}
