#include "world/world.h"

#include <doctest/doctest.h>
#include <limits>

#include "contact/test_scene.h"
#include "core/errors.h"

using namespace pliant;
using namespace pliant::test;

namespace {

constexpr double frame = 1.0 / 60;

/// Loose points, or springs where a stiffness [N/m] is given.
World falling(int substeps, double stiffness = 0, double height = 10) {
  World world;
  world.substeps = substeps;
  world.bodies.push_back(block<Projective>(3, 1, 5, stiffness, {0, height, 0}));
  return world;
}

World dropping() {
  World world = falling(20, 1e4, 0.3);
  world.bodies.push_back(block<Projective>(3, 0.5, 2, 1e4, {3, 0.6, 0}));
  world.bodies.back().name = "second";
  world.colliders.push_back(floor_at());
  return world;
}

double lowest(const World& world) {
  double y = std::numeric_limits<double>::infinity();
  for (const Body& body : world.bodies)
    for (const Vec3& p : body.nodes.position) y = std::min(y, p.y());
  return y;
}

void play(World& world, int frames) {
  for (int i = 0; i < frames; ++i) world.step(frame);
}

/// Asks for a number of substeps that the test chooses.
class Demanding : public Projective {
 public:
  explicit Demanding(int substeps) : substeps_(substeps) {}
  StepAdvice advise(const Nodes&, double) const override { return {substeps_, "its whim"}; }

 private:
  int substeps_;
};

World demanding(std::initializer_list<int> asked) {
  World world;
  for (const int substeps : asked) {
    world.bodies.push_back(block<Projective>(2, 1, 1, 0, Vec3::Zero()));
    world.bodies.back().name = "body" + std::to_string(substeps);
    world.bodies.back().method = std::make_unique<Demanding>(substeps);
  }
  return world;
}

/// Answers contact with nonsense.
class Broken : public Projective {
 public:
  void respond(Nodes& nodes) const override {
    nodes.position[0].y() = std::numeric_limits<double>::quiet_NaN();
  }
  bool moves_by_mobility() const override { return false; }  // or nobody would ask it
};

}  // namespace

TEST_CASE("free fall after n substeps of h is g h^2 n (n + 1) / 2, for every node") {
  World world = falling(7);
  const std::vector<Vec3> start = world.bodies[0].nodes.position;
  const double h = frame / 7;
  for (int i = 1; i <= 30; ++i) {
    const StepReport report = world.step(frame);
    CHECK(report.substeps == 7);
    CHECK(report.contacts == 0);
    const double n = 7.0 * i;
    const double fallen = 9.81 * h * h * n * (n + 1) / 2;
    for (int k = 0; k < int(start.size()); ++k)
      CHECK((start[k] - world.bodies[0].nodes.position[k] - Vec3(0, fallen, 0)).norm() < 1e-11);
  }
  CHECK(world.time == doctest::Approx(0.5).epsilon(1e-13));
}

TEST_CASE("free fall converges to g t^2 / 2 at first order in the substep") {
  const auto error = [](int substeps) {
    World world = falling(substeps);
    const double before = lowest(world);
    play(world, 60);
    return before - lowest(world) - 9.81 / 2;
  };
  const double coarse = error(5), fine = error(10);
  CHECK(coarse == doctest::Approx(9.81 * frame / 5 / 2).epsilon(1e-8));
  CHECK(coarse / fine == doctest::Approx(2).epsilon(1e-8));
}

TEST_CASE("a step of no time changes no bit, in mid-contact too") {
  World world = dropping();
  play(world, 30);
  const std::uint64_t before = state_hash(world);
  world.step(0);
  CHECK(state_hash(world) == before);
}

TEST_CASE("the skin is where the nodes are after every step") {
  World world = dropping();
  for (int i = 0; i < 20; ++i) {
    world.step(frame);
    for (const Body& body : world.bodies) CHECK(body.skin.position == body.nodes.position);
  }
}

TEST_CASE("what falls on a floor stays above it and comes to rest there") {
  World world = dropping();
  double worst = 0;
  for (int i = 0; i < 240; ++i) {
    const StepReport report = world.step(frame);
    worst = std::min(worst, lowest(world));
    CHECK(report.unconverged_substeps == 0);
  }
  CHECK(worst > -world.contact.settings.tolerance * world.bodies[0].contact_scale);
  for (const Body& body : world.bodies) {
    CHECK(kinetic_energy(body.nodes) < 1e-4 * total_mass(body.nodes));  // slower than 15 mm/s
    CHECK(bounds(body.nodes.position).low.y() < 1e-3);
  }
}

TEST_CASE("a world saved in mid-contact and loaded into a fresh one goes on to the same bits") {
  World whole = dropping();
  std::vector<std::vector<std::byte>> saves;
  int pressing = 0;
  for (int i = 0; i < 60; ++i) {
    Archive saving = Archive::saving();
    whole.archive(saving);
    saves.push_back(saving.take_bytes());
    for (const Contact& contact : whole.contact.contacts()) pressing += !contact.impulse.isZero(0);
    whole.step(frame);
  }
  REQUIRE(pressing > 0);
  for (int i = 0; i < 60; i += 7) {
    CAPTURE(i);
    World resumed = dropping();
    Archive loading = Archive::loading(saves[std::size_t(i)]);
    resumed.archive(loading);
    CHECK(loading.at_end());
    play(resumed, 60 - i);
    CHECK(state_hash(resumed) == state_hash(whole));
  }
}

TEST_CASE("loads and handles are asked for the end of each substep, not its start") {
  World world = falling(1);
  world.gravity = Vec3::Zero();
  Load load;  // acts from the first moment on
  load.kind = Load::Kind::acceleration;
  load.vector = {2, 0, 0};
  load.nodes = {4};
  load.end = 1.5 * frame;
  world.bodies[0].loads.push_back(load);
  for (int i = 0; i < 3; ++i) {  // the first of these ends in the window, the others after it
    world.step(frame);
    CHECK(world.bodies[0].nodes.velocity[4].x() == doctest::Approx(2 * frame).epsilon(1e-9));
  }
}

TEST_CASE("the hash sees every body and the clock") {
  World world = dropping();
  const std::uint64_t before = state_hash(world);
  CHECK(state_hash(world) == before);
  for (Body& body : world.bodies) {
    double& coordinate = body.nodes.velocity.back().z();
    coordinate = 1e-300;
    CHECK(state_hash(world) != before);
    coordinate = 0;
  }
  world.time = 1e-300;
  CHECK(state_hash(world) != before);
}

TEST_CASE("the body that asks for most decides the substeps, and the reason names it") {
  const StepAdvice advice = advise_substeps(demanding({30, 50, 40}), frame, 20, 200);
  CHECK(advice.substeps == 50);
  CHECK(advice.reason == "its whim of \"body50\"");
}

TEST_CASE("substeps stay between the least and the most, with the reason") {
  const StepAdvice least = advise_substeps(demanding({3}), frame, 20, 200);
  CHECK(least.substeps == 20);
  CHECK(least.reason.find("least") != std::string::npos);
  const StepAdvice most = advise_substeps(demanding({30, 999}), frame, 20, 200);
  CHECK(most.substeps == 200);
  CHECK(most.reason.find("most") != std::string::npos);
  CHECK(most.reason.find("999") != std::string::npos);
  CHECK(most.reason.find("body999") != std::string::npos);
  CHECK(advise_substeps(World{}, frame, 20, 200).substeps == 20);
}

TEST_CASE("a method that needs few substeps for contact says so, and one that does not decides") {
  class Implicit : public Projective {
   public:
    StepAdvice advise(const Nodes&, double) const override { return {2, "its whim", 6}; }
  };
  World world = demanding({3});
  world.bodies[0].method = std::make_unique<Implicit>();
  CHECK(advise_substeps(world, frame, 20, 200).substeps == 2);  // nothing to touch
  world.colliders.push_back(floor_at());
  CHECK(advise_substeps(world, frame, 20, 200).substeps == 6);
  world.bodies.push_back(std::move(demanding({4}).bodies[0]));
  CHECK(advise_substeps(world, frame, 20, 200).substeps == 20);
}

TEST_CASE("a static world puts bodies in balance with the loads of the new time, without contact") {
  class Springs : public Projective {  // every node hangs on a spring of 100 N/m
   public:
    std::vector<Vec3> rest;
    bool finds_equilibrium() const override { return true; }
    StaticReport solve_static(Nodes& nodes) override {
      for (int n = 0; n < nodes.size(); ++n) nodes.position[n] = rest[n] + nodes.force[n] / 100;
      return {true, 3, 1, 1e-9};
    }
  };
  World world = falling(20, 0, 0);
  world.statics = true;
  world.colliders.push_back(floor_at());
  auto springs = std::make_unique<Springs>();
  springs->rest = world.bodies[0].nodes.position;
  const std::vector<Vec3> rest = springs->rest;
  world.bodies[0].method = std::move(springs);
  Load load;
  load.kind = Load::Kind::acceleration;
  load.vector = {2, 0, 0};
  load.nodes = {4};
  load.start = 1.5 * frame;
  world.bodies[0].loads.push_back(load);
  for (int i = 1; i <= 3; ++i) {
    const StepReport report = world.step(frame);
    CHECK(report.newton_iterations == 3);
    CHECK(report.unbalanced == 0);
    const double mass = world.bodies[0].nodes.mass[4];
    const Vec3 sag = mass * Vec3(i > 1 ? 2 : 0, -9.81, 0) / 100;
    CHECK((world.bodies[0].nodes.position[4] - rest[4] - sag).norm() < 1e-12);
    CHECK(world.bodies[0].skin.position == world.bodies[0].nodes.position);
    CHECK(world.time == doctest::Approx(i * frame));
  }
}

TEST_CASE("a velocity that is not finite ends the step with the body's name") {
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    World world = dropping();
    world.bodies[1].nodes.velocity[3].x() = bad;
    CHECK_THROWS_WITH_AS(world.step(frame), doctest::Contains("\"second\""), NumericalError);
  }
}

TEST_CASE("a position lost in the very last substep is noticed by the same step") {
  World world = falling(1, 0, 0);
  world.colliders.push_back(floor_at());
  world.bodies[0].method = std::make_unique<Broken>();
  CHECK_THROWS_WITH_AS(world.step(frame), doctest::Contains("\"block\""), NumericalError);
}

TEST_CASE("a skin that a method changes gets a new revision") {
  class Remeshing : public Projective {
   public:
    Changes adapt(Nodes&, Skin&, double) override { return {.triangles = ++steps_ % 2 == 0}; }

   private:
    int steps_ = 0;
  };
  World world = falling(2);
  world.bodies[0].method = std::make_unique<Remeshing>();
  std::vector<int> revisions;
  for (int i = 0; i < 4; ++i) {
    world.step(frame);
    revisions.push_back(world.bodies[0].skin.revision);
  }
  CHECK(revisions == std::vector<int>{0, 1, 1, 2});
}
