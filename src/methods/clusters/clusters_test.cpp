#include <doctest/doctest.h>

#include "core/errors.h"
#include "core/parallel.h"
#include "methods/clusters/test_bodies.h"

using namespace pliant;
using namespace pliant::clusters;

namespace {

const Vec3 bar_size(1.2, 0.4, 0.4);

std::uint64_t hash_of(Body& body) {
  Archive archive = Archive::hashing();
  body.archive(archive);
  return archive.hash();
}

/// Pulls both ends of a bar apart at this speed [m/s].
void pull(Body& body, int frames, double speed) {
  std::vector<int> left, right;
  std::vector<double> start;
  for (int p = 0; p < body.nodes.size(); ++p) {
    const double x = body.nodes.position[p].x();
    if (x < -0.5) left.push_back(p);
    if (x > 0.5) right.push_back(p);
  }
  for (const bool is_left : {true, false}) {
    const std::vector<int>& end = is_left ? left : right;
    Handle handle;
    handle.nodes = end;
    for (const int p : end) handle.rest.push_back(body.nodes.position[p]);
    const double way = (is_left ? -1 : 1) * speed * frames / 60;
    handle.motion.keys = {{0, Vec3::Zero()}, {frames / 60.0, Vec3(way, 0, 0)}};
    body.handles.push_back(handle);
  }
  move(body, frames, 20, Vec3::Zero(), [&](double time) { move_handles(body, time); });
  body.nodes.held.assign(body.nodes.held.size(), 0);
}

}  // namespace

TEST_CASE("a body of clusters has the solid's mass, exactly the same sum in any order") {
  const Body body = box_of(bar_size, 0.07, dough());
  CHECK(total_mass(body.nodes) == doctest::Approx(1000 * 1.2 * 0.4 * 0.4).epsilon(1e-12));
  double backwards = 0;
  for (int p = body.nodes.size(); p-- > 0;) backwards += body.nodes.mass[p];
  CHECK(backwards == total_mass(body.nodes));
  double volume = 0;
  for (const double v : volumes(matter_of(body), body.nodes)) volume += v;
  CHECK(volume == doctest::Approx(1.2 * 0.4 * 0.4).epsilon(1e-12));
}

TEST_CASE("every particle belongs to two clusters or more") {
  const Body body = box_of(bar_size, 0.07, dough());
  for (const int count : memberships(matter_of(body))) CHECK(count >= 2);
}

TEST_CASE("the skin lies where it was given, and follows every affine motion of the particles") {
  Body body = box_of(bar_size, 0.07, dough());
  Mat3 A;
  A << 1.2, 0.1, 0, -0.3, 0.9, 0.2, 0.1, 0, 1.1;
  const Vec3 shift(1, 2, 3);
  for (Vec3& x : body.nodes.position) x = A * x + shift;
  body.skin.refresh(body.nodes.position);
  for (int v = 0; v < body.skin.size(); ++v)
    CHECK((body.skin.position[v] - (A * body.skin.rest[v] + shift)).norm() < 1e-9);
}

TEST_CASE("at rest nothing moves, and a free body keeps its momentum") {
  Body body = box_of(bar_size, 0.07, dough());
  const std::vector<Vec3> before = body.nodes.position;
  move(body, 2);
  for (int p = 0; p < body.nodes.size(); ++p)
    CHECK((body.nodes.position[p] - before[p]).norm() < 2e-6);  // the wide kernel is in floats
  for (int p = 0; p < body.nodes.size(); ++p)
    body.nodes.velocity[p] = Vec3(1 + 3 * before[p].x(), before[p].z(), -before[p].y());
  const Vec3 linear = momentum(body.nodes);
  move(body, 30);
  CHECK((momentum(body.nodes) - linear).norm() < 1e-6 * linear.norm());
}

TEST_CASE("what was stretched beyond the yield stays stretched, what was not comes back") {
  for (const bool flows : {true, false}) {
    Body body = box_of(bar_size, 0.07, dough(0.03, flows ? 30 : 0), false);
    const Box before = bounds(body.nodes.position);
    pull(body, 60, 0.2);  // 1.2 -> 1.6 m
    body.handles.clear();
    move(body, 120);
    const double length = bounds(body.nodes.position).extent().x() / before.extent().x();
    if (flows) CHECK(length > 1.15);
    else CHECK(length == doctest::Approx(1).epsilon(0.01));
  }
}

TEST_CASE("state saved and loaded goes on as if nothing had happened, on any number of threads") {
  Body body = box_of(bar_size, 0.07, dough());
  pull(body, 20, 0.4);
  Archive saving = Archive::saving();
  body.archive(saving);
  move(body, 10);
  const std::uint64_t wanted = hash_of(body);
  for (const int count : {1, 3}) {
    set_threads(count);
    Body again = box_of(bar_size, 0.07, dough());
    pull(again, 0, 0.4);
    Archive loading = Archive::loading(saving.bytes());
    again.archive(loading);
    move(again, 10);
    CHECK(hash_of(again) == wanted);
  }
  set_threads(0);
}

TEST_CASE("open surfaces and bodies of few particles are refused") {
  Solid solid;
  solid.surface = box_mesh(Vec3(1, 1, 1), 0.5);
  solid.material = dough();
  Settings coarse;
  coarse.radius = 0.4;
  CHECK_THROWS_WITH_AS(coarse.create(solid), doctest::Contains("particles"), InputError);
  solid.surface.triangles.pop_back();
  CHECK_THROWS_WITH_AS(Settings().create(solid), doctest::Contains("open"), InputError);
}

TEST_CASE("resampling keeps mass to the bit and momentum, and every particle in a cluster") {
  Body body = box_of(bar_size, 0.07, dough());
  const double mass = total_mass(body.nodes);
  pull(body, 120, 0.5);  // 1.2 -> 3.2 m
  const Matter& matter = matter_of(body);
  CHECK(matter.seeded > 50);
  CHECK(total_mass(body.nodes) == mass);
  const std::vector<int> count = memberships(matter);
  CHECK(std::count(count.begin(), count.end(), 0) == 0);
  double lightest = mass, heaviest = 0;
  for (const double m : body.nodes.mass) {
    lightest = std::min(lightest, m);
    heaviest = std::max(heaviest, m);
  }
  CHECK(heaviest < 8 * lightest);
  body.handles.clear();
  const Vec3 before = momentum(body.nodes);
  move(body, 30);
  CHECK((momentum(body.nodes) - before).norm() < 1e-4 * mass);
  CHECK(total_mass(body.nodes) == mass);
}

TEST_CASE("a bar that was drawn out with resampling does not spring back") {
  Body body = box_of(bar_size, 0.07, dough());
  pull(body, 120, 0.5);
  const double drawn = bounds(body.skin.position).extent().x();
  body.handles.clear();
  move(body, 60);
  CHECK(bounds(body.skin.position).extent().x() > 0.95 * drawn);
}
