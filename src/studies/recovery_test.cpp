#include "studies/recovery.h"

#include <doctest/doctest.h>

#include "core/parallel.h"
#include "geometry/sample/tet_block.h"
#include "methods/tets/tets.h"

using namespace pliant;

namespace {

const TetMesh cube = tet_block({5, 5, 5}, Vec3::Ones());

World scrambled_world() {
  const Material m = elastic_material(1e5, 0.49, 1000, 2);
  tets::Settings settings;
  settings.recovery = true;
  World world;
  world.gravity = Vec3::Zero();
  world.contact.settings.touch = Touches::bodies;  // it must pass through itself to find its shape
  world.bodies.push_back(tets::make_body(cube, m, settings));
  return world;
}

}  // namespace

TEST_CASE("scrambled bodies find their shape again at any Poisson's ratio, by either kernel") {
  int seed = 0;
  for (const bool plain : {false, true})
    for (const double poisson : {0.3, 0.45, 0.5})
      for (const Scramble kind :
           {Scramble::plane, Scramble::space, Scramble::line, Scramble::point}) {
        CAPTURE(plain);
        CAPTURE(poisson);
        CAPTURE(int(kind));
        const RecoveryResult r =
            recover(cube, {.scramble = kind, .seed = ++seed, .poisson = poisson, .plain = plain});
        CHECK(r.recovered);
        CHECK(r.shape_error < 0.02);
      }
}

TEST_CASE("recovery does not depend on what the body is made of") {
  // Not softer: what disorder leaves of spin (up to 0.8 rad/s) stretches 1 kPa by 2 %.
  for (const double young : {1e4, 1e7})
    CHECK(recover(cube, {.seed = 3, .young = young, .poisson = 0.49}).recovered);
}

TEST_CASE("a fifth of the tets turned inside out come back") {
  World world = scrambled_world();
  invert_tets(cube, world.bodies[0], 0.2, 1);
  const int inverted = world.bodies[0].method->measure(world.bodies[0].nodes).inverted;
  CHECK(inverted >= 0.2 * double(cube.tets.size()));
  CHECK(inverted < 0.4 * double(cube.tets.size()));
  for (const double poisson : {0.3, 0.5})
    CHECK(recover(cube, {.scramble = std::nullopt, .poisson = poisson}).recovered);
}

TEST_CASE("without recovery a nearly incompressible body stays a knot: the mode is needed") {
  CHECK(!recover(cube, {.seed = 1, .poisson = 0.49, .recovery = false, .most_time = 3}).recovered);
}

TEST_CASE("a recovery saved in the middle goes on as if nothing had been, on any threads") {
  const auto begun = [] {
    World world = scrambled_world();
    scramble(world.bodies[0], Scramble::plane, 7);
    for (int i = 0; i < 6; ++i) world.step(1.0 / 60);
    return world;
  };
  World straight = begun(), saved = begun();
  Archive save = Archive::saving();
  saved.archive(save);
  World loaded = scrambled_world();
  Archive load = Archive::loading(save.bytes());
  loaded.archive(load);
  CHECK(state_hash(loaded) == state_hash(straight));
  set_threads(3);
  for (int i = 0; i < 40; ++i) loaded.step(1.0 / 60);
  set_threads(1);
  for (int i = 0; i < 40; ++i) straight.step(1.0 / 60);
  set_threads(0);
  CHECK(state_hash(loaded) == state_hash(straight));
}

TEST_CASE("recovery changes nothing for a body that moves in an ordinary way") {
  const auto shaken = [](bool recovery) {
    World world = scrambled_world();
    tets::Settings settings;
    settings.recovery = recovery;
    const Material m = elastic_material(1e4, 0.45);
    world.bodies[0] = tets::make_body(cube, m, settings);
    for (Vec3& p : world.bodies[0].nodes.position) p.x() *= 1.3;
    for (int i = 0; i < 30; ++i) world.step(1.0 / 60);
    return world.bodies[0].nodes.position;
  };
  CHECK(shaken(true) == shaken(false));
}
