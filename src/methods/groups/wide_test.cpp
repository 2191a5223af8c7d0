#include <doctest/doctest.h>
#include <limits>

#include "methods/groups/point_groups.h"
#include "methods/groups/test_bodies.h"
#include "methods/groups/volumes.h"
#include "methods/shared/wide_test_tools.h"

// The wide kernels against the plain one, for every instruction set of this machine.

using namespace pliant;
using namespace pliant::groups;

namespace {

/// Cells, or (reach > 0) particles with all neighbours up to `reach` cells away: 19, 33, 81 ...
Groups sample(double scale, double reach) {
  const TetMesh mesh = block_mesh({5, 4, 6}, scale * Vec3(0.5, 0.4, 0.6), 0.15);
  const Solid solid = solid_of(material(1e5, .45));
  Groups groups = hex_groups(mesh, {}, {}, solid);
  if (reach == 0) return groups;
  const std::vector<double> mass = groups.mass;
  groups = point_groups(mesh.points, std::vector<int>(mesh.points.size(), 0),
                        {0.1 * scale * reach, std::nullopt});
  groups.mass = mass;
  estimate_volumes(groups, VolumeEstimate::even, 0.12 * scale * scale * scale, 0);
  return groups;
}

/// Groups moved at random by `wildness` cells, some particles held.
struct Wild {
  Groups groups;
  Shapes shapes;
  Nodes nodes;
  std::vector<Compliance> compliances;

  Wild(double scale, double poisson, double wildness, double reach, bool some_held,
       Weighting weighting = Weighting::equal)
      : groups(sample(scale, reach)) {
    const std::vector<Material> materials = {material(1e5, poisson)};
    Settings settings;
    settings.weighting = weighting;
    shapes = measure_shapes(groups, materials, settings);
    nodes = Nodes::at(groups.rest);
    nodes.mass = groups.mass;
    for (int i = 0; i < nodes.size(); ++i) {
      nodes.held[i] = some_held && i % 11 == 0;
      nodes.mobility[i] = nodes.held[i] ? 0 : 1 / nodes.mass[i];
      nodes.position[i] += scale * (Vec3(30, -20, 10) + 0.1 * wildness * random_vector(2, i));
    }
    scale_compliances(shapes, scale / 600, {}, compliances);
  }
};

/// Largest distance between what the wide and the plain kernel make of the same sweeps, in cells.
double difference(const Wild& wild, double scale, int iterations, int lanes = 0) {
  const double cap = 0.1;
  WideSolver wide(wild.shapes, wild.groups.rest, {}, iterations > 1, lanes);
  wide.set_compliances(wild.shapes, wild.compliances, cap);
  Nodes by_wide = wild.nodes;
  wide.begin(wild.shapes, by_wide);
  wide.load(by_wide, 0, by_wide.size());
  const SweepTrouble trouble = wide.sweep(iterations, false);
  CHECK(trouble.collapsed + trouble.skipped == 0);
  wide.add_changes(by_wide, 0, by_wide.size());

  std::vector<Vec3> by_plain = wild.nodes.position;
  std::vector<Multipliers> multipliers(std::size_t(wild.shapes.size()));
  const std::vector<int> order = wide.batches().order();
  REQUIRE(order.size() == std::size_t(wild.shapes.size()));
  for (int i = 0; i < iterations; ++i)
    for (const int g : order) {
      std::vector<Vec3> x;
      std::vector<double> w;
      for (const int p : wild.shapes.members(g)) {
        x.push_back(by_plain[p]);
        w.push_back(wild.nodes.mobility[p]);
      }
      const double reach = cap * wild.shapes.shape[g].length;
      const std::vector<Vec3> before = x;
      project(wild.shapes, g, wild.compliances[g], reach, {x, w}, multipliers[g]);
      if (i + 1 == iterations)
        filter(wild.shapes, g, wild.compliances[g].filter, Places(before), {x, w});
      for (std::size_t k = 0; k < x.size(); ++k) by_plain[wild.shapes.members(g)[k]] = x[k];
    }
  double largest = 0, moved = 0;
  for (int n = 0; n < by_wide.size(); ++n) {
    largest = std::max(largest, (by_wide.position[n] - by_plain[n]).norm());
    moved = std::max(moved, (by_plain[n] - wild.nodes.position[n]).norm());
    if (wild.nodes.held[n]) CHECK(by_wide.position[n] == wild.nodes.position[n]);
  }
  CHECK(moved > 5e-4 * scale);
  return largest / (0.1 * scale);
}

Body shaken_block(const Settings& settings, double damping = 0) {
  Body body = block({8, 6, 7}, {0.8, 0.6, 0.7}, material(1e5, .45, damping), settings, 0.1);
  for (int i = 0; i < body.nodes.size(); ++i)
    body.nodes.velocity[i] = Vec3(1, 2, -1) + 2 * random_vector(2, i);
  return body;
}

}  // namespace

TEST_CASE("wide equals plain to rounding, for every instruction set, size of group and nu") {
  for (const std::string& name : wide_instruction_sets()) {
    const Forced forced(name);
    REQUIRE(wide_instruction_set() == name);
    for (const double reach : {0.0, 1.9, 2.6})
      for (const bool held : {false, true})
        for (const double poisson : {0.0, 0.45, 0.5})
          for (const int iterations : {1, 3}) {
            if (reach > 0 && iterations > 1 && poisson != 0.45) continue;
            INFO(name << ", reach " << reach << ", held " << held << ", nu " << poisson
                      << ", iterations " << iterations);
            const Wild wild(1, poisson, 0.2, reach, held);
            CHECK(difference(wild, 1, iterations, wide_lanes()) < 4e-6);
            if (narrow_lanes() != wide_lanes())
              CHECK(difference(wild, 1, iterations, narrow_lanes()) < 4e-6);
          }
  }
}

TEST_CASE("wide equals plain with masses for weights, in small and large groups, held or not") {
  for (const double reach : {0.0, 1.9, 2.6})
    for (const bool held : {false, true}) {
      INFO("reach " << reach << ", held " << held);
      CHECK(difference(Wild(1, .45, 0.2, reach, held, Weighting::mass), 1, 1) < 4e-6);
    }
}

TEST_CASE("lanes are as many as pay: all for cells that fill them, half for few or large groups") {
  for (const std::string& name : wide_instruction_sets()) {
    const Forced forced(name);
    const auto lanes = [](const Eigen::Vector3i& cells, double reach) {
      const TetMesh mesh = tet_block(cells, 0.1 * cells.cast<double>());
      Groups groups = hex_groups(mesh, {}, {}, solid_of(material(1e5, .45)));
      if (reach > 0)
        groups = point_groups(mesh.points, std::vector<int>(mesh.points.size(), 0),
                              {0.1 * reach, std::nullopt});
      if (reach > 0) estimate_volumes(groups, VolumeEstimate::even, 0.1, 0);
      groups.mass.assign(mesh.points.size(), 1);
      const std::vector<Material> materials = {material(1e5, .45)};
      const Shapes shapes = measure_shapes(groups, materials, {});
      return WideSolver(shapes, groups.rest, {}, false).batches().lanes;
    };
    CHECK(lanes({16, 8, 8}, 0) == wide_lanes());
    CHECK(lanes({4, 4, 4}, 0) == narrow_lanes());
    CHECK(lanes({8, 8, 8}, 1.9) == narrow_lanes());
    CHECK((narrow_lanes() == wide_lanes() || name == "avx512"));
  }
}

TEST_CASE("wide equals plain where the cap acts, and for bodies of any size") {
  CHECK(difference(Wild(1, .45, 2, 0, true), 1, 1) < 3e-5);  // flat groups magnify rounding
  for (const double scale : {1e-5, 1e-3, 1e3, 1e5}) {
    INFO("scale " << scale);
    CHECK(difference(Wild(scale, .45, 0.2, 0, true), scale, 1) < 4e-6);
  }
}

TEST_CASE("wide bodies have the same bits on 1, 2, 3 and 7 threads") {
  for (const int iterations : {1, 2})
    check_threads([&] {
      Settings settings;
      settings.iterations = iterations;
      Body body = block({24, 10, 10}, {2.4, 1, 1}, material(1e5, .45, 3), settings);
      body.handles.push_back(pin_left(body));
      for (int i = 0; i < body.nodes.size(); ++i) body.nodes.velocity[i] = random_vector(2, i);
      double time = 0;
      for (int i = 0; i < 5; ++i) substep(body, 1e-3, time, {0, -9.81, 0});
      return body.nodes.velocity;
    });
}

TEST_CASE("momentum of a free wide body drifts by the rounding of its moves") {
  Body body = shaken_block({});
  const Vec3 before = momentum(body.nodes);
  double scale = 0;
  for (int i = 0; i < body.nodes.size(); ++i)
    scale += body.nodes.mass[i] * body.nodes.velocity[i].norm();
  double time = 0;
  for (int i = 0; i < 1000; ++i) substep(body, 1.0 / 1200, time);
  const double drift = (momentum(body.nodes) - before).norm() / scale;
  INFO("relative drift " << drift);
  CHECK(drift < 1e-8);
}

TEST_CASE("handles that come and go are followed: held wide particles never leave their target") {
  Body body = shaken_block({});
  body.handles.push_back(pin_left(body, 0.05));
  body.handles[0].release = 0.05;
  const std::vector<Vec3> start = body.nodes.position;
  double time = 0;
  for (int i = 0; i < 49; ++i) substep(body, 1e-3, time, {0, -9.81, 0});
  for (const int node : body.handles[0].nodes) CHECK(body.nodes.position[node] == start[node]);
  for (int i = 0; i < 50; ++i) substep(body, 1e-3, time, {0, -9.81, 0});
  for (const int node : body.handles[0].nodes)
    CHECK((body.nodes.position[node] - start[node]).norm() > 1e-5);
}

TEST_CASE("wide bodies move the same wherever they are") {
  Body here = shaken_block({}), there = shaken_block({});
  const Vec3 away(1000, -2000, 500);
  for (Vec3& x : there.nodes.position) x += away;
  double time = 0, same_time = 0;
  for (int i = 0; i < 100; ++i) {
    substep(here, 1e-3, time);
    substep(there, 1e-3, same_time);
  }
  for (int n = 0; n < here.nodes.size(); ++n)
    CHECK((there.nodes.position[n] - away - here.nodes.position[n]).norm() < 1e-5);
}

TEST_CASE("one particle without a finite place spoils its own groups only, and is reported") {
  Body body = shaken_block({});
  body.nodes.position[0] = Vec3(1e300, 0, std::numeric_limits<double>::quiet_NaN());
  double time = 0;
  substep(body, 1e-3, time);
  int finite = 0;
  for (const Vec3& x : body.nodes.position) finite += x.allFinite() ? 1 : 0;
  CHECK(finite == body.nodes.size() - 1);
  bool reported = false;
  for (const std::string& line : body.method->warnings(body.nodes, {1e-9, 0}))
    reported = reported || line.find("no finite result") != std::string::npos;
  CHECK(reported);
}

TEST_CASE("cells of a regular grid keep their rest shape once") {
  const TetMesh mesh = tet_block({16, 16, 16}, {1, 1, 1});
  const Solid solid = solid_of(material(1e5, .3));
  const Groups groups = hex_groups(mesh, {}, {}, solid);
  const std::vector<Material> materials = {solid.material};
  const WideSolver wide(measure_shapes(groups, materials, {}), groups.rest, {}, false);
  std::vector<std::size_t> places;
  for (const Batch& b : wide.batches().batch) places.push_back(b.rest);
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  CHECK(wide.batches().colors() == 8);
  CHECK(places.size() < wide.batches().batch.size() / 2);
}
