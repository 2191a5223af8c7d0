#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>

#include "core/parallel.h"
#include "geometry/mesh/primitives.h"
#include "math/rigid_fit.h"
#include "methods/groups/point_groups.h"
#include "methods/groups/test_bodies.h"
#include "methods/groups/volumes.h"

using namespace pliant;
using namespace pliant::groups;

namespace {

Solid box_solid(const Vec3& size, double edge, const Material& of) {
  Solid solid = solid_of(of);
  solid.surface = box_mesh(size, edge);
  return solid;
}

GroupsMethod& method(Body& body) { return static_cast<GroupsMethod&>(*body.method); }

void spin_up(Body& body, const Vec3& omega) {
  const Vec3 centre = centre_of_mass(body.nodes);
  for (int i = 0; i < body.nodes.size(); ++i)
    body.nodes.velocity[i] = omega.cross(body.nodes.position[i] - centre);
}

double filled_volume(const Groups& groups) {
  double sum = 0;
  for (const double v : groups.volume) sum += v;
  return sum;
}

/// How far the tip of a 0.8 x 0.2 x 0.2 m bar hangs down, after `seconds`.
double tip_of_cantilever(int across, int substeps, const Settings& settings, double seconds) {
  Body body = block({4 * across, across, across}, {0.8, 0.2, 0.2}, material(2e5, .3, 20), settings);
  body.handles.push_back(pin_left(body));
  const int corner = 4 * across;
  const double start = body.nodes.position[corner].y(), h = 1.0 / 60 / substeps;
  double time = 0;
  for (int i = 0; i < int(seconds * 60 * substeps); ++i) substep(body, h, time, {0, -9.81, 0});
  return body.nodes.position[corner].y() - start;
}

}  // namespace

TEST_CASE("masses and volumes of builders sum to the solid's") {
  const Solid solid = box_solid({0.37, 0.21, 0.3}, 0.05, material(1e5, .3));
  for (const Sampling sampling : {Sampling::cells, Sampling::points}) {
    Settings settings;
    settings.sampling = sampling;
    settings.cells = 200;
    Body body = settings.create(solid);
    CHECK(total_mass(body.nodes) == doctest::Approx(1000 * 0.37 * 0.21 * 0.3).epsilon(1e-6));
    CHECK(body.method->measure(body.nodes).rest_volume ==
          doctest::Approx(0.37 * 0.21 * 0.3).epsilon(1e-6));
    // Its skin lies where it was given.
    body.skin.refresh(body.nodes.position);
    for (int v = 0; v < body.skin.size(); ++v)
      CHECK((body.skin.position[v] - body.skin.rest[v]).norm() < 1e-9);
  }
}

TEST_CASE("without a resolution, cells times substeps fit the budget, for soft and stiff bodies") {
  const auto cost = [](double young, double budget) {
    Settings settings;
    settings.budget = budget;
    const Body body = settings.create(box_solid({0.5, 0.3, 0.4}, 0.05, material(young, .4)));
    const int substeps = std::clamp(body.method->advise(body.nodes, 1.0 / 60).substeps, 20, 200);
    return std::pair(body.method->measure(body.nodes).elements, substeps);
  };
  int before = 1 << 30;
  for (const double young : {1e4, 1e6, 1e7}) {
    const auto [cells, substeps] = cost(young, 1);
    INFO(young << " Pa: " << cells << " cells, " << substeps << " substeps");
    CHECK(33e-6 * cells * substeps > 0.5);
    CHECK(33e-6 * cells * substeps < 1.6);  // cells that the surface cuts add to their number
    CHECK(cells <= before);
    before = cells;
  }
  CHECK(cost(1e4, 3).first > 2 * cost(1e4, 1).first);
  CHECK(cost(1e4, 1e-3).first < 400);
}

TEST_CASE("volume estimates: overlapping groups are scaled to the object's volume") {
  const TetMesh mesh = tet_block({6, 6, 6}, Vec3::Ones());
  Groups groups = point_groups(mesh.points, std::vector<int>(mesh.points.size(), 0), {0.26, {}});
  groups.mass.assign(mesh.points.size(), 1);
  for (const VolumeEstimate estimate :
       {VolumeEstimate::even, VolumeEstimate::density, VolumeEstimate::sphere}) {
    estimate_volumes(groups, estimate, 1, 0.4);
    CHECK(filled_volume(groups) == doctest::Approx(1));
    CHECK(*std::min_element(groups.volume.begin(), groups.volume.end()) > 0);
  }
  // A cube's corners as a sphere: 2.72 times too large, before scaling.
  Groups cube = hex_groups(tet_block({2, 1, 1}, {2, 1, 1}), {}, {}, solid_of(material(1, 0)));
  estimate_volumes(cube, VolumeEstimate::sphere, 2, 0);
  CHECK(cube.volume[0] == doctest::Approx(1));
}

TEST_CASE("groups of points take the nearest or those within a radius") {
  const TetMesh mesh = tet_block({4, 4, 4}, {4, 4, 4});
  const std::vector<int> material(mesh.points.size(), 0);
  const int middle = 2 + 5 * (2 + 5 * 2);
  CHECK(point_groups(mesh.points, material, {1.1, {}}).members(middle).size() == 7);
  CHECK(point_groups(mesh.points, material, {1.5, {}}).members(middle).size() == 19);
  CHECK(point_groups(mesh.points, material, {0, 6}).members(middle).size() == 7);
  CHECK(point_groups(mesh.points, material, {0, 8}).members(middle).size() == 19);  // all as near
  CHECK_THROWS_WITH(point_groups(mesh.points, material, {0.5, {}}),
                    doctest::Contains("0 neighbours"));
}

TEST_CASE("rest stays at rest for any sampling, filter and fit") {
  for (const double young : {1e3, 1e9})
    for (const double poisson : {0.0, 0.5})
      for (const Filter filter : {Filter::compliant, Filter::hard, Filter::off})
        for (const Fit fit : {Fit::linear, Fit::quadratic}) {
          Settings settings = plain();
          settings.filter = filter;
          settings.fit = fit;
          Body body = block({3, 2, 2}, {0.3, 0.2, 0.2}, material(young, poisson), settings, 0.2);
          const std::vector<Vec3> before = body.nodes.position;
          double time = 0;
          for (int i = 0; i < 100; ++i) substep(body, 1.0 / 1200, time);
          for (int n = 0; n < body.nodes.size(); ++n)
            CHECK((body.nodes.position[n] - before[n]).norm() < 1e-10);
        }
}

TEST_CASE("momentum of free bodies is kept by every law, sweep and filter") {
  std::vector<Settings> all(7, plain());
  all[1].law = Law::hookean;
  all[2].law = Law::shape_matching;
  all[3].solve = Solve::in_turn;
  all[4].sweep = Sweep::jacobi;
  all[5].filter = Filter::hard;
  all[6].fit = Fit::quadratic;
  for (const Settings& settings : all) {
    Body body = block({3, 3, 3}, {0.3, 0.3, 0.3}, material(1e5, .4, 3), settings);
    for (int i = 0; i < body.nodes.size(); ++i)
      body.nodes.velocity[i] = Vec3(1, 2, -1) + random_vector(2, i);
    const Vec3 before = momentum(body.nodes);
    double time = 0;
    for (int i = 0; i < 100; ++i) substep(body, 1.0 / 1200, time);
    CHECK((momentum(body.nodes) - before).norm() < 1e-10 * before.norm());
  }
}

TEST_CASE(
    "damping leaves rigid motion alone, slows inner motion, and is the same for any substep") {
  const auto ringing = [](double rate, int substeps) {
    Body body = block({4, 2, 2}, {0.4, 0.2, 0.2}, material(1e5, .3, rate), plain());
    for (int i = 0; i < body.nodes.size(); ++i)
      body.nodes.velocity[i] = {body.nodes.position[i].x() - 0.2, 0, 0};
    double time = 0;
    for (int i = 0; i < 12 * substeps; ++i) substep(body, 1.0 / 60 / substeps, time);
    return kinetic_energy(body.nodes) + body.method->measure(body.nodes).elastic_energy;
  };
  CHECK(ringing(10, 20) < 0.5 * ringing(1, 20));
  CHECK(ringing(1e6, 20) < 0.01 * ringing(1, 20));
  CHECK(ringing(20, 40) / ringing(0, 40) ==
        doctest::Approx(ringing(20, 20) / ringing(0, 20)).epsilon(0.15));

  // One damping pass changes nothing of a spin.
  for (const double group_damping : {0.0, 1e3}) {
    Settings settings = plain();
    settings.group_damping = group_damping;
    Body body = block({3, 3, 3}, {0.3, 0.3, 0.3}, material(1e5, .3, 1e3), settings);
    spin_up(body, {1, 5, 2});
    const std::vector<Vec3> before = body.nodes.velocity;
    for (int i = 0; i < body.nodes.size(); ++i) {
      body.nodes.previous[i] = body.nodes.position[i] - 1e-3 * before[i];
      body.nodes.held[i] = 0;
    }
    body.method->finish(body.nodes, {1e-3, 0});
    for (int i = 0; i < body.nodes.size(); ++i)
      CHECK((body.nodes.velocity[i] - before[i]).norm() < 1e-10);
  }
}

TEST_CASE("a free spin slows by the law of the time step, with any filter") {
  for (const Filter filter : {Filter::compliant, Filter::hard}) {
    Settings settings;
    settings.filter = filter;
    Body body = block({2, 2, 2}, {1, 1, 1}, material(1e6, .45), settings);
    spin_up(body, {0, 10, 0});
    const double before = angular_momentum(body.nodes).y();
    double time = 0;
    for (int i = 0; i < 1200; ++i) substep(body, 1.0 / 600, time);
    CHECK(angular_momentum(body.nodes).y() / before == doctest::Approx(0.7746).epsilon(0.01));
  }
}

TEST_CASE(
    "with the compliant filter bending does not depend on the substep; with the hard one it does") {
  Settings settings;
  const double coarse = tip_of_cantilever(2, 10, settings, 5);
  const double fine = tip_of_cantilever(2, 40, settings, 5);
  INFO(coarse << " " << fine);
  CHECK(std::abs(coarse / fine - 1) < 0.01);
  settings.filter = Filter::hard;
  CHECK(tip_of_cantilever(2, 40, settings, 3) > 0.5 * tip_of_cantilever(2, 5, settings, 3));
}

TEST_CASE("without a filter a hexahedral bar falls apart") {
  const auto residual = [](Filter filter) {
    Settings settings;
    settings.filter = filter;
    Body body = block({8, 2, 2}, {0.8, 0.2, 0.2}, material(2e5, .3, 2), settings);
    body.handles.push_back(pin_left(body));
    double time = 0;
    for (int i = 0; i < 2400; ++i) substep(body, 1.0 / 600, time, {0, -9.81, 0});
    return method(body).residual(body.nodes);
  };
  CHECK(residual(Filter::off) > 1);
  CHECK(residual(Filter::compliant) < 0.3);
}

TEST_CASE("Jacobi is the same on any number of threads and in any order of the groups") {
  std::vector<Vec3> expected;
  for (const bool shuffle : {true, false})
    for (const int count : {1, 3}) {
      set_threads(count);
      Settings settings = plain();
      settings.sweep = Sweep::jacobi;
      settings.shuffle = shuffle;
      Body body = block({6, 5, 4}, {0.6, 0.5, 0.4}, material(1e5, .4, 1), settings);
      for (int i = 0; i < body.nodes.size(); ++i) body.nodes.velocity[i] = random_vector(2, i);
      double time = 0;
      for (int i = 0; i < 20; ++i) substep(body, 1e-3, time);
      if (expected.empty()) expected = body.nodes.position;
      CHECK(expected == body.nodes.position);
    }
  set_threads(0);
}

TEST_CASE("the measured modulus is the entered one, at the automatic substeps, for any cube") {
  for (const auto& [cells, young, poisson] :
       {std::tuple(1, 1e5, 0.3), std::tuple(2, 1e3, 0.0), std::tuple(2, 1e3, 0.49),
        std::tuple(2, 1e5, 0.3), std::tuple(2, 1e7, 0.0), std::tuple(2, 1e7, 0.49),
        std::tuple(3, 1e4, 0.4), std::tuple(4, 1e6, 0.45)}) {
    CAPTURE(cells);
    CAPTURE(young);
    CAPTURE(poisson);
    Body body = block({cells, cells, cells}, {1, 1, 1},
                      material(young, poisson, 2 * std::sqrt(young / 1000)));  // about critical
    const int substeps = std::max(10, body.method->advise(body.nodes, 1.0 / 60).substeps);
    const double strain = 1e-3, h = 1.0 / 60 / substeps;
    std::vector<Vec3> force(std::size_t(body.nodes.size()), Vec3::Zero());
    for (int i = 0; i < body.nodes.size(); ++i) {
      const Vec3& p = body.nodes.position[i];
      if (p.x() > 0 && p.x() < 1) continue;
      double share = 1.0 / (cells * cells);  // of the face, inside it
      for (const int axis : {1, 2}) share *= p[axis] > 0 && p[axis] < 1 ? 1 : 0.5;
      force[i].x() = (p.x() == 0 ? -1 : 1) * share * strain * young;
    }
    double time = 0;
    const double frames = std::max(20.0, 60 * 20 / std::sqrt(young / 1000));
    for (int s = 0; s < substeps * frames; ++s) {
      drive(body, Vec3::Zero(), time + h);
      body.nodes.force = force;
      body.method->advance(body.nodes, {h, time});
      body.method->finish(body.nodes, {h, time});
      time += h;
    }
    // Not the mean of the sides: no corner may give way.
    const Box box = bounds(body.nodes.position);
    const double along = box.extent().x() - 1, across = box.extent().y() - 1;
    CHECK(strain / along == doctest::Approx(1).epsilon(0.02));
    // One sweep a substep leaves the sides a little behind: 0.018 at most here, falling with the
    // square of the substep.
    CHECK(std::abs(-across / along - poisson) < 0.02);
  }
}

TEST_CASE("velocities that are left to the next substep are the same") {
  const double h = 1e-3;
  for (const bool fast : {false, true})
    for (const double group_damping : {0.0, 5.0}) {
      CAPTURE(fast);
      CAPTURE(group_damping);
      Settings settings = fast ? Settings{} : plain();
      settings.group_damping = group_damping;
      const auto made = [&] {
        Body body = block({3, 3, 4}, {0.3, 0.3, 0.4}, material(1e5, 0.45, 10), settings, 0.1);
        body.handles = {pin_left(body)};
        return body;
      };
      Body at_once = made(), late = made();
      for (int i = 0; i < 12; ++i)
        for (Body* body : {&at_once, &late}) {
          const Substep step{h, h * i, body == &at_once || i == 11};
          drive(*body, {0, -9.81, 0}, h * (i + 1));
          body->method->advance(body->nodes, step);
          body->method->finish(body->nodes, step);
        }
      for (int n = 0; n < late.nodes.size(); ++n) {
        CHECK((late.nodes.position[n] - at_once.nodes.position[n]).norm() < 1e-9);
        CHECK((late.nodes.velocity[n] - at_once.nodes.velocity[n]).norm() < 1e-6);
      }
    }
}

TEST_CASE("thin and straight groups work inside a body") {
  // A sheet of one layer of particles: every group is a square.
  Groups groups;
  const int n = 5;
  for (int i = 0; i < n * n; ++i) groups.rest.push_back({0.1 * (i % n), 0, 0.1 * (i / n)});
  for (int i = 0; i < n - 1; ++i)
    for (int j = 0; j < n - 1; ++j) {
      const int p = i + n * j;
      const int corners[] = {p, p + 1, p + n, p + n + 1};
      groups.add(corners, 1e-4, 0);
    }
  groups.rest.push_back({0.4, -0.2, 0.4});  // a string hangs from its corner
  const int string[] = {n * n - 1, n * n};
  groups.add(string, 1e-6, 0);
  const std::vector<Material> materials = {material(1e5, .3, 5)};
  share_masses(groups, materials);
  Skin skin;
  skin.weights = Weights::identity(groups.particles());
  skin.rest = groups.rest;
  Body body = make_body(groups, materials, skin);
  REQUIRE(body.warnings.size() == 1);
  Handle handle;
  for (int i = 0; i < n; ++i) {
    handle.nodes.push_back(i);
    handle.rest.push_back(groups.rest[i]);
  }
  body.handles.push_back(handle);
  double time = 0;
  for (int i = 0; i < 1200; ++i) substep(body, 1.0 / 600, time, {0, -9.81, 0});
  CHECK(is_finite(body.nodes));
  CHECK(body.nodes.position.back().y() < -0.3);  // the sheet has swung down
  CHECK((body.nodes.position[n * n] - body.nodes.position[n * n - 1]).norm() ==
        doctest::Approx(0.2).epsilon(0.05));
  std::vector<double> J;
  CHECK(body.method->element_field("J", body.nodes, J));
  for (const double j : J) CHECK(std::abs(j - 1) < 0.2);
}

TEST_CASE("a body goes on to the same bits after saving and loading") {
  const auto make = [] {
    Body body = block({4, 3, 3}, {0.4, 0.3, 0.3}, material(1e5, .4, 2));
    for (int i = 0; i < body.nodes.size(); ++i) body.nodes.velocity[i] = random_vector(2, i);
    return body;
  };
  Body whole = make(), resumed = make();
  double time = 0;
  for (int i = 0; i < 20; ++i) substep(whole, 1e-3, time);
  Archive save = Archive::saving();
  whole.archive(save);
  const std::vector<std::byte> bytes = save.take_bytes();
  Archive load = Archive::loading(bytes);
  resumed.archive(load);
  double again = time;
  for (int i = 0; i < 20; ++i) {
    substep(whole, 1e-3, time);
    substep(resumed, 1e-3, again);
  }
  CHECK(whole.nodes.position == resumed.nodes.position);
}

TEST_CASE("a group squashed into a point finds its shape again") {
  for (const Kernel kernel : {Kernel::plain, Kernel::wide}) {
    Settings settings;
    settings.kernel = kernel;
    Body body = block({1, 1, 1}, {1, 1, 1}, material(1e5, 0.5, 5), settings);
    const std::vector<Vec3> rest = body.nodes.position;
    for (Vec3& x : body.nodes.position) x = Vec3(0.5, 0.5, 0.5);
    double time = 0;
    for (int i = 0; i < 3000; ++i) substep(body, 1e-3, time);
    CHECK(shape_distance(rest, body.nodes.position, body.nodes.mass) < 0.01);
  }
}

TEST_CASE("fields: a stretched block shows its stretches, J and stress") {
  Body body = block({2, 2, 2}, {1, 1, 1}, material(1e5, .3));
  for (Vec3& x : body.nodes.position) x.x() *= 1.5;
  std::vector<double> values;
  for (const auto& [name, expected] :
       {std::pair("J", 1.5), std::pair("stretch_1", 1.5), std::pair("stretch_3", 1.0)}) {
    CHECK(body.method->field(name, body.nodes, values));
    for (const double v : values) CHECK(v == doctest::Approx(expected));
  }
  const Mat3 F = Vec3(1.5, 1, 1).asDiagonal();
  CHECK(body.method->field("von_mises", body.nodes, values));
  CHECK(values[0] == doctest::Approx(NeoHookean::from(1e5, .3).von_mises(F)));
  CHECK_FALSE(body.method->field("taste", body.nodes, values));
}

TEST_CASE("what cannot be is refused, what is slow is said") {
  Settings settings;
  settings.sweep = Sweep::jacobi;
  settings.solve = Solve::in_turn;
  CHECK_THROWS_WITH(block({1, 1, 1}, {1, 1, 1}, material(1e5, .3), settings),
                    doctest::Contains("jacobi"));
  settings = {};
  settings.law = Law::hookean;
  CHECK_THROWS_WITH(block({1, 1, 1}, {1, 1, 1}, material(1e5, .5), settings),
                    doctest::Contains("0.499"));
  settings.kernel = Kernel::wide;
  CHECK(block({1, 1, 1}, {1, 1, 1}, material(1e5, .3), settings).warnings.size() == 1);
  Groups lonely = one_group(5, 1);
  lonely.rest.push_back({9, 9, 9});
  lonely.mass.push_back(1);
  const std::vector<Material> materials = {material(1e5, .3)};
  CHECK_THROWS_WITH(make_body(lonely, materials, Skin()), doctest::Contains("belong to no group"));
}
