#include "methods/shared/galerkin/implicit_step.h"

#include <doctest/doctest.h>

#include "body/body.h"
#include "core/parallel.h"
#include "math/test_random.h"
#include "methods/shared/galerkin/galerkin_method.h"
#include "methods/shared/galerkin/hex_block.h"

using namespace pliant;
using namespace pliant::test;
using namespace pliant::galerkin;

namespace {

/// A free block of bricks, 0.4 x 0.2 x 0.2 m.
struct Block {
  HexBlock block = hex_block({4, 2, 2}, {0.4, 0.2, 0.2});
  Nodes nodes = Nodes::at(block.nodes);
  GalerkinMethod method;

  /// `newton`: iterations a substep; 0 = as usual.
  explicit Block(double young, double poisson = 0.3, int newton = 0)
      : method(Elastic(block.points, {Law::from(Law::Kind::log_neo_hookean, young, poisson)},
                       int(block.nodes.size())),
               block.nodes,
               InnerDamping(std::vector<double>(block.nodes.size(), 0),
                            std::vector<int>(block.nodes.size(), 0)),
               Rules{.newton = newton}, std::sqrt(young / 1000), 0.4) {
    for (int p = 0; p < block.points.size(); ++p)
      for (int k = block.points.start[p]; k < block.points.start[p + 1]; ++k)
        nodes.mass[block.points.node[k]] += 1000 * block.points.volume[p] * block.points.value[k];
  }
  void step(double h) {
    method.advance(nodes, {h, 0});
    for (Vec3& load : nodes.load) load.setZero();
    if (BodyCompliance* compliance = method.compliance();
        compliance && compliance->answered != nodes.load)
      method.correct(nodes);
    method.finish(nodes, {h, 0});
  }
};

/// A nearly incompressible block some of whose nodes have hardly any mass, as control points of CAD
/// faces: they move too quickly for steps that are short for the body.
struct SoftBlock : Block {
  static constexpr double h = 1.0 / 600;

  SoftBlock() : Block(1e4, 0.45) {
    for (int n = 0; n < nodes.size(); n += 5) nodes.mass[n] *= 1e-4;
  }
};

/// Rises of the energy, with speeds from the places before and after.
class EnergyWatch {
 public:
  explicit EnergyWatch(double h) : h_(h) {}
  void look(const Block& body) {
    if (!older_.empty()) {
      double energy = stored_;
      for (int n = 0; n < body.nodes.size(); ++n)
        energy += 0.5 * body.nodes.mass[n] *
                  ((body.nodes.position[n] - older_[n]) / (2 * h_)).squaredNorm();
      if (first == 0) first = least_ = energy;
      rise = std::max(rise, energy - least_);
      least_ = std::min(least_, energy);
    }
    older_ = std::move(last_);
    last_ = body.nodes.position;
    stored_ = body.method.measure(body.nodes).elastic_energy;
  }
  double first = 0, rise = 0;  // [J]

 private:
  double h_, least_ = 0, stored_ = 0;
  std::vector<Vec3> last_, older_;
};

/// Of the state after ten steps of a block that was shaken; `threads` 0: two of them, saved and
/// loaded on the way.
std::uint64_t hash_of_run(double h, int threads) {
  set_threads(threads == 0 ? 2 : threads);
  auto body = std::make_unique<Block>(1e4);
  for (int n = 0; n < body->nodes.size(); ++n) body->nodes.velocity[n] = 0.5 * random_vector(8, n);
  for (int i = 0; i < 10; ++i) {
    body->step(h);
    if (threads != 0 || i != 4) continue;
    Archive saved = Archive::saving();
    body->nodes.archive(saved);
    body->method.archive(saved);
    auto other = std::make_unique<Block>(1e4);
    Archive loaded = Archive::loading(saved.bytes());
    other->nodes.archive(loaded);
    other->method.archive(loaded);
    body = std::move(other);
  }
  Archive hash = Archive::hashing();
  body->nodes.archive(hash);
  return hash.hash();
}

}  // namespace

TEST_CASE("the factor at rest is the inverse of mass and stiffness, steel or jelly, held or free") {
  for (const double young : {5e3, 1e6, 2e11})
    for (const bool is_held : {false, true}) {
      CAPTURE(young);
      CAPTURE(is_held);
      Block body(young);
      const auto count = body.block.nodes.size();
      std::vector<char> held(count, 0);
      for (std::size_t n = 0; n < count; ++n) held[n] = is_held && body.block.nodes[n].x() < 1e-9;
      const Elastic& elastic = body.method.elastic();
      RestFactor factor(elastic, body.block.nodes);
      const double stiffness = 0.3 / 240 / 240;
      REQUIRE(factor.prepare(body.nodes.mass, stiffness, held, nullptr, 0));
      WideElastic wide(elastic);
      std::vector<Vec3> u(count, Vec3::Zero()), force(count), x(count), b(count), y(count);
      wide.update(u, force);
      for (std::size_t n = 0; n < count; ++n)
        x[n] = held[n] ? Vec3(Vec3::Zero()) : random_vector(1, n);
      wide.multiply(x, body.nodes.mass, stiffness, held, false, b);
      factor.apply(b, y);
      double off = 0, size = 0;
      for (std::size_t n = 0; n < count; ++n) {
        off += (y[n] - x[n]).squaredNorm();
        size += x[n].squaredNorm();
      }
      CHECK(std::sqrt(off / size) < (young > 1e9 ? 1e-2 : 1e-4));
      std::vector<Mat3> column;
      factor.column(7, column);
      for (int axis = 0; axis < 3; ++axis) {
        for (Vec3& v : b) v.setZero();
        b[7][axis] = 1;
        factor.apply(b, y);
        double differ = 0, most = 0;
        for (std::size_t n = 0; n < count; ++n) {
          differ = std::max(differ, (column[n].col(axis) - y[n]).norm());
          most = std::max(most, y[n].norm());
        }
        CHECK(differ <= 1e-4 * most);
      }
    }
}

TEST_CASE("a free body keeps momentum and spin, and its energy does not grow") {
  Block body(1e5);
  for (int n = 0; n < body.nodes.size(); ++n)
    body.nodes.velocity[n] = Vec3(1, 2, -1) + Vec3(0, 0, 6).cross(body.nodes.position[n]);
  const Vec3 linear = momentum(body.nodes);
  const auto turning = [&] {
    return Vec3(angular_momentum(body.nodes) - centre_of_mass(body.nodes).cross(linear));
  };
  const Vec3 angular = turning();
  const double before = kinetic_energy(body.nodes);
  for (int i = 0; i < 600; ++i) body.step(1.0 / 240);
  CHECK((momentum(body.nodes) - linear).norm() < 1e-10 * linear.norm());
  CHECK((turning() - angular).norm() < 1e-2 * angular.norm());
  CHECK(kinetic_energy(body.nodes) < (1 + 1e-3) * before);
}

TEST_CASE("near rest the compliance says what a load really does") {
  Block body(1e6);
  const double h = 1.0 / 240;
  body.method.advance(body.nodes, {h, 0});
  BodyCompliance* compliance = body.method.compliance();
  REQUIRE(compliance);
  std::vector<int> touched = {0, 3, 7};
  std::vector<float> blocks;
  compliance->fill(touched, blocks);
  const std::vector<Vec3> start = body.nodes.position;
  const Vec3 load(1e-6, 2e-6, -1e-6);
  body.nodes.load[3] = load;
  for (int i = 0; i < 4; ++i) body.method.correct(body.nodes);
  for (std::size_t i = 0; i < touched.size(); ++i) {
    const Mat3 block =
        Eigen::Map<const Eigen::Matrix3f>(blocks.data() + 9 * (3 + i)).cast<double>();
    const Vec3 foreseen = compliance->turn * block * compliance->turn.transpose() * load;
    const Vec3 moved = body.nodes.position[touched[i]] - start[touched[i]];
    CHECK((moved - foreseen).norm() < 0.05 * foreseen.norm() + 1e-9);
  }
}

TEST_CASE("a body thrown inside out is finite and finds its shape again") {
  Block body(2e4);
  for (int n = 0; n < body.nodes.size(); ++n) body.nodes.position[n].x() *= -0.3;
  CHECK(body.method.measure(body.nodes).inverted > 0);
  for (int i = 0; i < 2000; ++i) {
    body.step(1.0 / 240);
    for (Vec3& v : body.nodes.velocity) v *= 0.97;
  }
  CHECK(is_finite(body.nodes));
  const Measures now = body.method.measure(body.nodes);
  CHECK(now.inverted == 0);
  CHECK(now.volume == doctest::Approx(now.rest_volume).epsilon(0.01));
}

TEST_CASE("steps, short ones and others, are the same on 1 and 3 threads, and after loading") {
  for (const double h : {0.005, 0.05}) {
    CAPTURE(h);
    std::vector<std::uint64_t> hashes;
    for (const int threads : {1, 3, 0}) hashes.push_back(hash_of_run(h, threads));
    CHECK(hashes[0] == hashes[1]);
    CHECK(hashes[0] == hashes[2]);
  }
  set_threads(0);
}

TEST_CASE("short steps agree with solved ones, and keep momentum and energy") {
  const double h = 1.0 / 1200;
  Block leaps(2e4), solves(2e4, 0.3, 2);
  for (Block* body : {&leaps, &solves})
    for (int n = 0; n < body->nodes.size(); ++n) {
      const Vec3& x = body->nodes.position[n];
      body->nodes.velocity[n] = Vec3(1, 0.5, 0) + Vec3(2 * x.x(), 0, 1 * x.y());
    }
  const Vec3 before = momentum(leaps.nodes);
  EnergyWatch energy(h);
  for (int i = 0; i < 240; ++i) {
    leaps.step(h);
    solves.step(h);
    REQUIRE(leaps.method.moves_by_mobility());
    REQUIRE(!solves.method.moves_by_mobility());
    energy.look(leaps);
  }
  CHECK((momentum(leaps.nodes) - before).norm() < 1e-10 * before.norm());
  CHECK(energy.rise < 2e-3 * energy.first);
  double off = 0;
  for (int n = 0; n < leaps.nodes.size(); ++n)
    off = std::max(off, (leaps.nodes.position[n] - solves.nodes.position[n]).norm());
  CHECK(off < 2e-3);  // of 0.4 m, after 0.2 s and several vibrations
}

TEST_CASE("under scaled inertia a load does what the compliance says, and is all the momentum") {
  SoftBlock body;
  for (int n = 0; n < body.nodes.size(); ++n)
    body.nodes.velocity[n] = Vec3(1, 0, 0) + 0.2 * random_vector(4, n);
  for (int i = 0; i < 20; ++i) body.step(body.h);
  const Vec3 before = momentum(body.nodes);
  body.method.advance(body.nodes, {body.h, 0});
  REQUIRE(!body.method.moves_by_mobility());
  BodyCompliance* compliance = body.method.compliance();
  REQUIRE(compliance);
  REQUIRE(compliance->is_isotropic());
  const std::vector<int> touched = {0, 3, 5, 7};
  std::vector<float> numbers;
  compliance->fill(touched, numbers);
  const std::vector<Vec3> start = body.nodes.position;
  const Vec3 load(1, 2, -1);
  body.nodes.load[5] = load;
  body.method.correct(body.nodes);
  for (std::size_t i = 0; i < touched.size(); ++i) {
    const Vec3 foreseen = double(numbers[4 * 2 + i]) * load;
    const Vec3 moved = body.nodes.position[touched[i]] - start[touched[i]];
    CHECK((moved - foreseen).norm() < 1e-4 * foreseen.norm());
    CHECK(numbers[4 * 2 + i] == doctest::Approx(numbers[4 * i + 2]).epsilon(1e-3));
  }
  body.method.finish(body.nodes, {body.h, 0});
  CHECK((momentum(body.nodes) - before - load / body.h).norm() < 1e-9 * load.norm() / body.h);
}

TEST_CASE("steps of scaled inertia are of second order and end where solved ones do") {
  const auto swing = [](Block& body, int finer) {
    for (int n = 0; n < body.nodes.size(); ++n) {
      const Vec3& x = body.nodes.position[n];
      body.nodes.velocity[n] = Vec3(1, 0.5, 0) + Vec3(0.5 * x.y(), 0, 2 * x.x());
    }
    EnergyWatch energy(SoftBlock::h / finer);
    for (int i = 0; i < 120 * finer; ++i) {
      body.step(SoftBlock::h / finer);
      energy.look(body);
    }
    CHECK(energy.rise < 2e-3 * energy.first);
    return body.nodes.position;
  };
  SoftBlock coarse, middle, fine;
  Block solved(1e4, 0.45, 2);
  solved.nodes.mass = coarse.nodes.mass;
  const auto off = [&](const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
    double square = 0;
    for (std::size_t n = 0; n < a.size(); ++n)
      square += coarse.nodes.mass[n] / total_mass(coarse.nodes) * (a[n] - b[n]).squaredNorm();
    return std::sqrt(square);
  };
  const std::vector<Vec3> end = swing(fine, 8);
  const double first = off(swing(coarse, 1), end), second = off(swing(middle, 2), end);
  CHECK(first < 4e-3);  // of 0.4 m, after 0.2 s
  CHECK(second < 0.4 * first);
  CHECK(off(swing(solved, 8), end) < 4e-3);
}

TEST_CASE("a body thrown flat under scaled inertia gains no energy and finds its shape again") {
  SoftBlock body;
  for (int n = 0; n < body.nodes.size(); ++n)  // faster than its elasticity can stop in its size
    body.nodes.velocity[n] = Vec3(0, -60 * (body.nodes.position[n].y() - 0.1), 0);
  const double before = kinetic_energy(body.nodes);
  double most_moving = 0, most_stored = 0;  // of moments half a substep apart
  for (int i = 0; i < 3000; ++i) {
    body.step(body.h);
    REQUIRE(body.method.compliance()->is_isotropic());
    most_moving = std::max(most_moving, kinetic_energy(body.nodes));
    most_stored = std::max(most_stored, body.method.measure(body.nodes).elastic_energy);
    for (Vec3& v : body.nodes.velocity) v *= 0.998;
  }
  CHECK(most_moving < (1 + 1e-6) * before);
  CHECK(most_stored < before);
  const Measures now = body.method.measure(body.nodes);
  CHECK(now.inverted == 0);
  CHECK(now.volume == doctest::Approx(now.rest_volume).epsilon(0.01));
}
