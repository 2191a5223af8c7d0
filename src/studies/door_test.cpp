#include <doctest/doctest.h>

#include "math/test_random.h"
#include "studies/method_cubes.h"

// What contact asks of every method: laws of the answer to a load, B in position = free + B load.
// Over all registered methods.

using namespace pliant;
using namespace pliant::test;

namespace {

constexpr double h = 1.0 / 600;

using Loads = std::vector<Vec3>;

double dot(const Loads& u, const Loads& w) {
  double sum = 0;
  for (std::size_t i = 0; i < u.size(); ++i) sum += u[i].dot(w[i]);
  return sum;
}

Loads random_loads(int nodes, std::uint64_t seed) {
  Loads loads;
  for (int i = 0; i < nodes; ++i) loads.push_back(random_vector(seed, std::uint64_t(i)));
  return loads;
}

/// A cube in flight: every law below holds in the middle of a motion too.
Body flying(const std::string& method) {
  Body body = cube(method, 0.5, {1, 2, 3}, 1000, 0);
  for (int i = 0; i < body.nodes.size(); ++i)
    body.nodes.velocity[i] = Vec3(1, -2, 0.5) +
                             Vec3(2, 1, -3).cross(body.nodes.position[i] - Vec3(1, 2, 3)) +
                             0.02 * random_vector(9, std::uint64_t(i));
  return body;
}

void advance(Body& body) {
  drive(body, {0, -9.81, 0}, h);
  body.method->advance(body.nodes, {h, 0});
  body.nodes.free = body.nodes.position;
}

/// B w
Loads answer(Body& body, const Loads& load) {
  body.nodes.load = load;
  body.method->respond(body.nodes);
  Loads moved;
  for (int i = 0; i < body.nodes.size(); ++i)
    moved.push_back(body.nodes.position[i] - body.nodes.free[i]);
  return moved;
}

template <class Test>
void for_each_method(const Test& test) {
  for (const MethodKind& kind : registered_methods()) {
    INFO(std::string(kind.name));
    test(std::string(kind.name));
  }
}

}  // namespace

TEST_CASE("the answer to a load is linear, symmetric, positive and bounded by mobility") {
  for_each_method([](const std::string& method) {
    Body body = flying(method);
    advance(body);
    const int n = body.nodes.size();
    for (std::uint64_t k = 0; k < 100; ++k) {
      const Loads u = random_loads(n, 100 + k), w = random_loads(n, 300 + k);
      Loads mixed;
      for (int i = 0; i < n; ++i) mixed.push_back(2 * u[i] - 3 * w[i]);
      const Loads Bu = answer(body, u), Bw = answer(body, w), B_mixed = answer(body, mixed);
      double bound = 0, scale = 0, bent = 0;
      for (int i = 0; i < n; ++i) {
        bound += body.nodes.mobility[i] * w[i].squaredNorm();
        scale += body.nodes.mobility[i] * u[i].norm() * w[i].norm();
        bent = std::max(bent, (B_mixed[i] - 2 * Bu[i] + 3 * Bw[i]).norm());
      }
      const double size = std::sqrt(dot(Bu, Bu) + dot(Bw, Bw));
      // Positions of some metres hold what a load moves by to 1e-15; iterative answers are good to
      // a ten-thousandth of the load.
      CHECK(bent < 2e-3 * size + 1e-13);
      CHECK(std::abs(dot(u, Bw) - dot(w, Bu)) < 1e-4 * scale);
      CHECK(dot(w, Bw) >= 0);
      CHECK(dot(w, Bw) <= (1 + 1e-9) * bound);
    }
  });
}

TEST_CASE("the whole body takes up the whole impulse of a load") {
  for_each_method([](const std::string& method) {
    Body body = flying(method);
    advance(body);
    const int n = body.nodes.size();
    for (std::uint64_t k = 0; k < 20; ++k) {
      // One push somewhere on the skin, as contact gives it.
      Loads w(std::size_t(n), Vec3::Zero());
      const int vertex = int(7 * k) % body.skin.size();
      const Vec3 push = random_vector(17, k);
      body.skin.weights.scatter(vertex, push, w);
      const Loads moved = answer(body, w);
      Vec3 sum = Vec3::Zero();
      for (int i = 0; i < n; ++i) sum += body.nodes.mass[i] * moved[i];
      CHECK((sum - push).norm() < 1e-3 * push.norm());
    }
  });
}

TEST_CASE("no load, no movement; the same load twice, the same answer; nothing else is touched") {
  for_each_method([](const std::string& method) {
    Body body = flying(method);
    advance(body);
    const Nodes before = body.nodes;
    Archive first = Archive::hashing();
    body.method->archive(first);
    const Loads w = random_loads(body.nodes.size(), 5);
    const Loads once = answer(body, w);
    const Loads twice = answer(body, w);
    double differ = 0;
    for (std::size_t i = 0; i < w.size(); ++i)
      differ = std::max(differ, (once[i] - twice[i]).norm());
    CHECK(differ <= 1e-3 * std::sqrt(dot(once, once)));
    answer(body, Loads(w.size(), Vec3::Zero()));
    CHECK(body.nodes.position == body.nodes.free);
    CHECK(body.nodes.previous == before.previous);
    CHECK(body.nodes.velocity == before.velocity);
    CHECK(body.nodes.mobility == before.mobility);
    Archive last = Archive::hashing();
    body.method->archive(last);
    CHECK(first.hash() == last.hash());
  });
}

TEST_CASE("held nodes have no mobility and do not answer") {
  for_each_method([](const std::string& method) {
    Body body = flying(method);
    Handle handle;
    handle.nodes = {0, 1};
    for (const int i : handle.nodes) handle.rest.push_back(body.nodes.position[i]);
    body.handles.push_back(handle);
    advance(body);
    for (const int i : handle.nodes) {
      CHECK(body.nodes.mobility[i] == 0);
      CHECK((body.nodes.position[i] - handle.rest[i]).norm() < 1e-12);
    }
    const Loads moved = answer(body, random_loads(body.nodes.size(), 6));
    for (const int i : handle.nodes) CHECK(moved[i].norm() < 1e-13);
    double rest = 0;
    for (const Vec3& m : moved) rest += m.norm();
    CHECK(rest > 0);
    // What pushes on them moves nobody.
    Loads on_held(std::size_t(body.nodes.size()), Vec3::Zero());
    for (const int i : handle.nodes) on_held[i] = {1, 2, 3};
    for (const Vec3& m : answer(body, on_held)) CHECK(m.norm() < 1e-12);
  });
}

TEST_CASE("skins hang by weights that sum to one, and where they were") {
  for_each_method([](const std::string& method) {
    const Body body = cube(method, 0.5, {1, 2, 3});
    for (int v = 0; v < body.skin.weights.rows(); ++v) {
      double sum = 0;
      for (int k = body.skin.weights.start[v]; k < body.skin.weights.start[v + 1]; ++k)
        sum += body.skin.weights.weight[k];
      CHECK(sum == doctest::Approx(1).epsilon(1e-9));
      CHECK((body.skin.weights.gather(v, body.nodes.position) - body.skin.rest[v]).norm() < 1e-9);
    }
  });
}

TEST_CASE("a body saved in flight goes on to the same bits") {
  for_each_method([](const std::string& method) {
    Body body = flying(method), other = flying(method);
    const auto step = [](Body& of, int count) {
      for (int i = 0; i < count; ++i) {
        drive(of, {0, -9.81, 0}, h);
        of.method->advance(of.nodes, {h, 0});
        of.method->finish(of.nodes, {h, 0});
      }
    };
    step(body, 5);
    Archive saving = Archive::saving();
    body.archive(saving);
    const std::vector<std::byte> bytes = saving.take_bytes();
    Archive loading = Archive::loading(bytes);
    other.archive(loading);
    step(body, 5);
    step(other, 5);
    CHECK(body.nodes.position == other.nodes.position);
    CHECK(body.nodes.velocity == other.nodes.velocity);
  });
}
