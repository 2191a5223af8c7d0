#include "methods/shared/stress_recovery.h"

#include <doctest/doctest.h>

#include "core/random.h"

using namespace pliant;

namespace {

/// A cube of n^3 samples in cells of nodes, and a skin of some points on its face x = 0.
struct Cube {
  int n;
  StressSamples samples;
  std::vector<std::array<int, 8>> nodes;
  Skin skin;

  explicit Cube(int cells) : n(cells) {
    samples.in_cell = 1;
    const auto node = [&](int i, int j, int k) { return i + (n + 1) * (j + (n + 1) * k); };
    for (int k = 0; k < n; ++k)
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) {
          const auto jitter = [&](int axis) {
            return 0.3 * (random_unit(std::uint64_t(node(i, j, k)), std::uint64_t(axis)) - 0.5);
          };
          samples.add(Vec3(i + 0.5 + jitter(0), j + 0.5 + jitter(1), k + 0.5 + jitter(2)) / n,
                      1.0 / (n * n * n), 0.4);
          std::array<int, 8>& of = nodes.emplace_back();
          for (int c = 0; c < 8; ++c)
            of[std::size_t(c)] = node(i + (c & 1), j + (c >> 1 & 1), k + (c >> 2));
        }
    for (int k = 0; k <= n; ++k)
      for (int j = 0; j <= n; ++j) {
        const int own = node(0, j, k);
        const double whole = 1;
        skin.weights.add_row({&own, 1}, {&whole, 1});
        skin.rest.emplace_back(0, double(j) / n, double(k) / n);
      }
    skin.position = skin.rest;
  }

  template <class Field>
  SkinStress recovered(const Field& field) const {
    SkinStress found;
    CHECK(StressRecovery(samples).find(
        skin, [&](int s) { return std::span<const int>(nodes[std::size_t(s)]); },
        [&](int s) -> Mat3 { return field(samples.place[std::size_t(s)]); }, found));
    return found;
  }
};

}  // namespace

TEST_CASE("stress that is linear in place is found exactly at the skin, its corners too") {
  const Cube cube(6);
  const auto field = [](const Vec3& p) -> Mat3 {
    Mat3 stress;
    stress << 1 + 2 * p.x() - p.y(), p.y(), p.z(), p.y(), 3 - p.z(), 0.5, p.z(), 0.5, p.sum();
    return stress;
  };
  const SkinStress found = cube.recovered(field);
  for (std::size_t v = 0; v < cube.skin.rest.size(); ++v)
    CHECK((found.cauchy[v] - field(cube.skin.rest[v])).norm() < 1e-9);
}

TEST_CASE("stress that is quadratic in place is found exactly where there are samples around") {
  Cube cube(8);
  cube.samples.in_cell = 8;
  const auto field = [](const Vec3& p) -> Mat3 {
    return (1 + p.x() * p.x() - p.y() * p.z() + p.z() * p.z()) * Mat3::Identity();
  };
  const SkinStress found = cube.recovered(field);
  int inner = 0;
  for (std::size_t v = 0; v < cube.skin.rest.size(); ++v) {
    const Vec3& p = cube.skin.rest[v];
    if (std::abs(p.y() - 0.5) > 0.3 || std::abs(p.z() - 0.5) > 0.3) continue;
    ++inner;
    CHECK((found.cauchy[v] - field(p)).norm() < 1e-9);
  }
  CHECK(inner == 25);
}

TEST_CASE("stress of another material is not mixed in") {
  Cube cube(6);
  for (std::size_t s = 0; s < cube.samples.place.size(); ++s)
    if (cube.samples.place[s].y() > 0.5) cube.samples.sideways[s] = 0.1;
  const auto field = [](const Vec3& p) -> Mat3 {
    return (p.y() > 0.5 ? 100 : 1) * Mat3::Identity();
  };
  const SkinStress found = cube.recovered(field);
  for (std::size_t v = 0; v < cube.skin.rest.size(); ++v) {
    const double here = found.cauchy[v](0, 0);
    CHECK((std::abs(here - 1) < 1e-9 || std::abs(here - 100) < 1e-9));
    CHECK(found.sideways[v] == (here > 50 ? 0.1 : 0.4));
  }
}

TEST_CASE("few samples are better than none") {
  const Cube cube(1);
  const SkinStress found = cube.recovered([](const Vec3&) -> Mat3 { return 7 * Mat3::Identity(); });
  for (const Mat3& stress : found.cauchy) CHECK((stress - 7 * Mat3::Identity()).norm() < 1e-12);
}
