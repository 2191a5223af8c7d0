#include "body/skin_stress.h"

#include <doctest/doctest.h>

#include "body/test_body.h"

using namespace pliant;
using namespace pliant::test;

namespace {

const Mat3 raw = (Mat3() << 3, 1, -2, 1, 5, 4, -2, 4, -1).finished();  // [Pa]

/// Knows the same stress everywhere, which nothing that acts on it accounts for.
class Strained final : public Still {
 public:
  bool skin_stress(const Nodes&, const Skin& skin, SkinStress& stress) const override {
    stress.cauchy.assign(skin.rest.size(), raw);
    stress.sideways.assign(skin.rest.size(), 0.5);
    return true;
  }
};

/// A cube of 1 m whose top bears a pressure.
Body pressed(double pressure, double end = std::numeric_limits<double>::infinity()) {
  Body body = caged_box({1, 1, 1}, 0.25);
  body.method = std::make_unique<Strained>();
  Load load;
  load.kind = Load::Kind::pressure;
  load.pressure = pressure;
  load.end = end;
  for (int t = 0; t < int(body.skin.triangles.size()); ++t) {
    bool on_top = true;
    for (const int v : body.skin.triangles[t])
      on_top = on_top && body.skin.rest[v].y() > 0.5 - 1e-9;
    if (on_top) load.triangles.push_back(t);
  }
  body.loads.push_back(load);
  return body;
}

/// The stress at the vertex nearest to a place.
Mat3 stress_at(const Body& body, const Vec3& place) {
  SkinStress stress;
  REQUIRE(skin_stress(body, stress));
  int best = 0;
  for (int v = 0; v < body.skin.size(); ++v)
    if ((body.skin.rest[v] - place).norm() < (body.skin.rest[best] - place).norm()) best = v;
  return stress.cauchy[best];
}

}  // namespace

TEST_CASE("a surface feels the pressure that acts on it, and nothing where nothing acts") {
  const Body body = pressed(7);
  const Vec3 up = Vec3::UnitY(), side = Vec3::UnitX();
  CHECK((stress_at(body, 0.5 * up) * up + 7 * up).norm() < 1e-12);
  CHECK((stress_at(body, 0.5 * side) * side).norm() < 1e-12);
  CHECK((stress_at(body, -0.5 * up) * up).norm() < 1e-12);
  CHECK(stress_at(body, Vec3(0.5, 0.5, 0)) == raw);  // an edge has no normal
}

TEST_CASE("where a pressure comes and goes the surface's stress is left as it was found") {
  CHECK(stress_at(pressed(7, 1.5), Vec3(0, 0.5, 0)) == raw);
}
