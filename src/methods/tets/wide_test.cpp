#include <doctest/doctest.h>
#include <limits>

#include "core/random.h"
#include "methods/shared/wide_test_tools.h"
#include "methods/tets/damping.h"
#include "methods/tets/project.h"
#include "methods/tets/test_bodies.h"
#include "methods/tets/wide_solver.h"

// The wide kernels against the plain one, for every instruction set of this machine.

using namespace pliant;
using namespace pliant::tets;

namespace {

/// How much of a tet is inside a surface.
enum class Fill { full, cut };

/// A block and its rest data, some nodes held, moved at random by `wildness` cells.
struct Wild {
  TetMesh mesh;
  TetElements elements;
  Nodes nodes;
  std::vector<Compliance> compliances;
  RestShape cells;

  Wild(double scale, double poisson, double wildness, RestShape shape = RestShape::any,
       const Eigen::Vector3i& count = {5, 3, 4}, Fill fill = Fill::full)
      : cells(shape) {
    const Vec3 cell = shape == RestShape::cubes ? Vec3(0.1, 0.1, 0.1) : Vec3(0.1, 0.12, 0.08);
    mesh = block(count.x(), count.y(), count.z(), scale * count.cast<double>().cwiseProduct(cell));
    for (std::size_t i = 0; i < mesh.points.size() && shape == RestShape::any; ++i)
      mesh.points[i] += 0.015 * scale * random_vector(1, int(i));
    nodes = Nodes::at(mesh.points);
    for (const Tet& tet : mesh.tets) {
      const double inside = 0.01 + 0.99 * random_unit(3, std::uint64_t(elements.size()));
      elements.add(mesh, tet, fill == Fill::full ? 1 : inside, NeoHookean::from(1e5, poisson), 0);
      for (const int node : tet) nodes.mass[node] += 250 * elements.volume.back();
    }
    for (int i = 0; i < nodes.size(); ++i) {
      nodes.mobility[i] = i % 7 == 0 ? 0 : 1 / nodes.mass[i];
      nodes.position[i] += scale * (Vec3(30, -20, 10) + 0.1 * wildness * random_vector(2, i));
    }
    scale_compliances(elements, nodes.mass, scale / 600, 0.4, compliances);
  }
};

/// Cells of a body that is cut into blocks.
const Eigen::Vector3i large(100, 10, 10);

/// Largest distance between what the wide and the plain kernel make of the same sweeps, in cells.
double difference(const Wild& wild, double scale, bool by_cells, int iterations) {
  const double cap = 0.1;
  std::vector<TetCell> cells;
  if (by_cells) cells = *find_cells(wild.elements.nodes);
  WideSolver wide(
      build_batches(wild.elements, wild.nodes.mass, wild.mesh.points, cells, {}, wide_lanes()),
      iterations > 1);
  CHECK(wide.batches().at_rest == (by_cells ? wild.cells : RestShape::any));
  CHECK((wide.batches().blocks() > 1) == (wild.elements.size() > 8192));
  CHECK_FALSE(wide.batches().colored);
  wide.set_compliances(wild.elements, wild.compliances, cap);
  Nodes by_wide = wild.nodes;
  wide.begin(by_wide.position);
  wide.load(by_wide, 0, by_wide.size());
  for (int i = 0; i < iterations; ++i) {
    const SweepTrouble trouble = wide.sweep();
    CHECK(trouble.collapsed + trouble.skipped == 0);
  }
  wide.add_changes(by_wide, 0, by_wide.size());

  std::vector<Vec3> by_plain = wild.nodes.position;
  std::vector<Multipliers> multipliers(std::size_t(wild.elements.size()));
  for (int i = 0; i < iterations; ++i)
    for (const int tet : wide.batches().tet_order())
      project(wild.elements.nodes[tet], wild.elements.inverse_rest[tet], wild.compliances[tet],
              cap * wild.elements.length[tet], wild.nodes.mobility, by_plain, multipliers[tet]);
  double largest = 0, moved = 0;
  for (int n = 0; n < by_wide.size(); ++n) {
    largest = std::max(largest, (by_wide.position[n] - by_plain[n]).norm());
    moved = std::max(moved, (by_plain[n] - wild.nodes.position[n]).norm());
    if (wild.nodes.mobility[n] == 0) CHECK(by_wide.position[n] == wild.nodes.position[n]);
  }
  CHECK(moved > 1e-3 * scale);
  return largest / (0.1 * scale);
}

Body shaken_block(const Settings& settings) {
  Body body = make_body(block(8, 6, 7, {0.8, 0.6, 0.7}), material(1e5, .45), settings);
  for (int i = 0; i < body.nodes.size(); ++i)
    body.nodes.velocity[i] = Vec3(1, 2, -1) + 2 * random_vector(2, i);
  return body;
}

}  // namespace

TEST_CASE("wide equals plain to rounding, for every instruction set") {
  for (const std::string& name : wide_instruction_sets()) {
    const Forced forced(name);
    REQUIRE(wide_instruction_set() == name);
    for (const bool cells : {false, true})
      for (const RestShape shape : {RestShape::any, RestShape::boxes, RestShape::cubes})
        for (const double poisson : {0.0, 0.45, 0.5})
          for (const int iterations : {1, 4}) {
            INFO(name << ", cells " << cells << ", at rest " << int(shape) << ", nu " << poisson
                      << ", iterations " << iterations);
            CHECK(difference(Wild(1, poisson, 0.2, shape), 1, cells, iterations) < 3e-6);
          }
  }
}

TEST_CASE("wide equals plain where a surface cuts the cells, of which little is kept") {
  for (const std::string& name : wide_instruction_sets()) {
    const Forced forced(name);
    for (const RestShape shape : {RestShape::any, RestShape::boxes, RestShape::cubes})
      for (const double poisson : {0.0, 0.45, 0.5})
        for (const int iterations : {1, 4}) {
          INFO(name << ", at rest " << int(shape) << ", nu " << poisson << ", iterations "
                    << iterations);
          const Wild wild(1, poisson, 0.1, shape, {5, 3, 4}, Fill::cut);
          CHECK(difference(wild, 1, true, iterations) < 1e-5);
          WideBatches batches = build_batches(wild.elements, wild.nodes.mass, wild.mesh.points,
                                              *find_cells(wild.elements.nodes), {}, wide_lanes());
          fill_compliances(wild.elements, wild.compliances, 0.1, batches);
          CHECK((batches.give_step == 0) == (shape != RestShape::any));
          CHECK((batches.softer_step == 0) == (shape == RestShape::any));
        }
  }
}

TEST_CASE("wide equals plain where the cap acts, and for bodies of any size") {
  for (const bool cells : {false, true}) {
    CHECK(difference(Wild(1, .45, 2), 1, cells, 1) < 3e-5);  // flat tets magnify rounding
    CHECK(difference(Wild(1, .45, 2, RestShape::cubes), 1, cells, 1) < 3e-5);
    for (const double scale : {1e-5, 1e-3, 1e3, 1e5}) {
      INFO("scale " << scale);
      CHECK(difference(Wild(scale, .45, 0.2), scale, cells, 1) < 3e-6);
    }
  }
}

TEST_CASE("wide equals plain in bodies that are cut into blocks") {
  for (const bool cells : {false, true}) {
    // Places are known to the rounding of a body that is a hundred cells long.
    CHECK(difference(Wild(1, .45, 0.2, RestShape::any, large), 1, cells, 1) < 3e-5);
    CHECK(difference(Wild(1, .45, 0.2, RestShape::any, {20, 11, 10}), 1, cells, 4) < 1e-5);
  }
}

TEST_CASE("wide bodies have the same bits on 1, 2, 3 and 7 threads") {
  check_threads([] {
    Body body = make_body(block(large.x(), large.y(), large.z(), 0.1 * large.cast<double>()),
                          material(1e5, .45), with(Kernel::tets));
    for (int i = 0; i < body.nodes.size(); ++i) body.nodes.velocity[i] = random_vector(2, i);
    double time = 0;
    for (int i = 0; i < 2; ++i) substep(body, 1e-3, time);
    return body.nodes.velocity;
  });
  for (const Kernel kernel : wide_kernels)
    for (const int iterations : {1, 2})
      check_threads([&] {
        Body body = make_body(block(24, 10, 10, {2.4, 1, 1}), material(1e5, .45, 3),
                              with(kernel, iterations));
        body.handles.push_back(pin_left(body));
        for (int i = 0; i < body.nodes.size(); ++i) body.nodes.velocity[i] = random_vector(2, i);
        double time = 0;
        for (int i = 0; i < 5; ++i) substep(body, 1e-3, time, {0, -9.81, 0});
        return body.nodes.velocity;
      });
}

TEST_CASE("momentum of a free wide body drifts by the rounding of its moves") {
  for (const Kernel kernel : wide_kernels) {
    Body body = shaken_block(with(kernel));
    const Vec3 before = momentum(body.nodes);
    double scale = 0;
    for (int i = 0; i < body.nodes.size(); ++i)
      scale += body.nodes.mass[i] * body.nodes.velocity[i].norm();
    double time = 0;
    for (int i = 0; i < 1000; ++i) substep(body, 1.0 / 1200, time);
    const double drift = (momentum(body.nodes) - before).norm() / scale;
    INFO("relative drift " << drift);
    CHECK(drift < 1e-7);
  }
}

TEST_CASE("held nodes of wide bodies never leave their target") {
  for (const Kernel kernel : wide_kernels) {
    Body body = shaken_block(with(kernel));
    body.handles.push_back(pin_left(body));
    const std::vector<Vec3> start = body.nodes.position;
    double time = 0;
    for (int i = 0; i < 100; ++i) substep(body, 1e-3, time, {0, -9.81, 0});
    for (const int node : body.handles[0].nodes) CHECK(body.nodes.position[node] == start[node]);
  }
}

TEST_CASE("wide bodies move the same wherever they are") {
  for (const Kernel kernel : wide_kernels) {
    Body here = shaken_block(with(kernel)), there = shaken_block(with(kernel));
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
}

TEST_CASE("one node without a finite place spoils its own tets only, and is reported") {
  for (const Kernel kernel : wide_kernels) {
    Body body = shaken_block(with(kernel));
    const int lost = 0;  // a corner of the block
    body.nodes.position[lost] = Vec3(1e300, 0, std::numeric_limits<double>::quiet_NaN());
    double time = 0;
    substep(body, 1e-3, time);
    int finite = 0;
    for (const Vec3& x : body.nodes.position) finite += x.allFinite() ? 1 : 0;
    CHECK(finite == body.nodes.size() - 1);
    const auto lines = body.method->warnings(body.nodes, {1e-9, 0});
    REQUIRE(lines.size() == 1);
    CHECK(lines[0].find("no finite result") != std::string::npos);
  }
}

TEST_CASE("asking for cells where there are none says so and works") {
  TetMesh mesh = block(2, 2, 2, {1, 1, 1});
  mesh.tets.pop_back();
  Body body = make_body(mesh, material(1e5, .3), with(Kernel::cells));
  REQUIRE(body.warnings.size() == 1);
  CHECK(body.warnings[0].find("not cells") != std::string::npos);
  double time = 0;
  substep(body, 1e-3, time, {0, -9.81, 0});
  CHECK(is_finite(body.nodes));
}
