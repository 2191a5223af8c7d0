#include <doctest/doctest.h>

#include "core/errors.h"
#include "core/random.h"
#include "math/polar.h"
#include "methods/clusters/test_bodies.h"

using namespace pliant;
using namespace pliant::clusters;

namespace {

/// A cluster of some arms, and particles where `map` takes them, moved a little each.
struct Cloud {
  Cluster cluster;
  Nodes nodes;
  explicit Cloud(const Mat3& map, double noise = 0) {
    std::vector<Vec3> points;
    for (int p = 0; p < 40; ++p) {
      Vec3 arm, push;
      for (int a = 0; a < 3; ++a) {
        arm[a] = (1 + a) * (random_unit(1, std::uint64_t(3 * p + a)) - 0.5);
        push[a] = noise * (random_unit(2, std::uint64_t(3 * p + a)) - 0.5);
      }
      cluster.member.push_back(p);
      cluster.arm.push_back(arm);
      points.push_back(push);
    }
    nodes = Nodes::at(points);
    for (int p = 0; p < 40; ++p) nodes.mass[p] = 1 + 0.1 * (p % 5);
    centre_arms(cluster, nodes.mass);
    for (int p = 0; p < 40; ++p) nodes.position[p] += Vec3(3, 2, 1) + map * cluster.arm[p];
  }
};

Mat3 turned(double angle) {
  return Eigen::AngleAxisd(angle, Vec3(1, 2, -2).normalized()).toRotationMatrix();
}

Body paper_box(double stiffness, int iterations, const Material& material, bool resample = false) {
  Solid solid;
  solid.name = "box";
  solid.surface = box_mesh(Vec3(0.6, 0.4, 0.4), 0.14);
  solid.material = material;
  Settings settings;
  settings.radius = 0.07;
  settings.resample = resample;
  settings.law = Settings::Law::paper;
  settings.stiffness = stiffness;
  settings.iterations = iterations;
  return settings.create(solid);
}

}  // namespace

TEST_CASE("a cluster's rigid fit turns nothing by itself, also where its members are disordered") {
  const Mat3 map = turned(1.1) * Vec3(1.3, 0.7, 1.1).asDiagonal();
  const Cloud cloud(map, 0.4);
  const RigidFit fit = rigid_fit(cloud.cluster, cloud.nodes);
  Vec3 torque = Vec3::Zero();
  double scale = 0;
  for (int p = 0; p < 40; ++p) {
    const Vec3 away = cloud.nodes.position[p] - fit.centre, goal = fit.turn * cloud.cluster.arm[p];
    torque += cloud.nodes.mass[p] * away.cross(goal);
    scale += cloud.nodes.mass[p] * away.norm() * goal.norm();
  }
  CHECK(torque.norm() < 1e-13 * scale);
}

TEST_CASE("no other symmetric stretch fits better than the best, and a turned cluster has none") {
  Mat3 S;
  S << 1.3, 0.1, 0, 0.1, 0.8, -0.05, 0, -0.05, 1.05;
  const Cloud rigid(turned(0.8));
  CHECK(best_stretch(rigid.cluster, rigid.nodes).isIdentity(1e-12));
  const Cloud cloud(turned(0.8) * S, 0.5);
  const RigidFit fit = rigid_fit(cloud.cluster, cloud.nodes);
  const auto misfit = [&](const Mat3& stretch) {
    double sum = 0;
    for (int p = 0; p < 40; ++p)
      sum += cloud.nodes.mass[p] *
             (fit.turn * stretch * cloud.cluster.arm[p] + fit.centre - cloud.nodes.position[p])
                 .squaredNorm();
    return sum;
  };
  const Mat3 best = best_stretch(cloud.cluster, cloud.nodes);
  for (int a = 0; a < 3; ++a)
    for (int b = a; b < 3; ++b)
      for (const double by : {-1e-3, 1e-3}) {
        Mat3 other = best;
        other(a, b) += by;
        if (a != b) other(b, a) += by;
        CHECK(misfit(other) > misfit(best));
      }
}

TEST_CASE("flow of the paper: what is held keeps the yield, and volume never flows") {
  const double stretch = 1.5;  // held
  Mat3 plastic = Mat3::Identity();
  const Mat3 held = Vec3(stretch, 1 / std::sqrt(stretch), 1 / std::sqrt(stretch)).asDiagonal();
  const auto elastic = [&] { return Mat3(held * plastic.inverse()); };
  for (int step = 0; step < 3; ++step) {
    const PaperFlow flow = paper_flow(elastic(), 0.1, 0.9);
    CHECK(flow.strain > 0);
    CHECK(flow.stretch.determinant() == doctest::Approx(1).epsilon(1e-12));
    plastic = flow.stretch * plastic;
  }
  CHECK(std::log(elastic()(0, 0)) == doctest::Approx(0.1).epsilon(0.02));
  CHECK(paper_flow(Vec3(1.05, 1, 0.96).asDiagonal(), 0.1, 0.9).strain == 0);
  CHECK(paper_flow(Vec3(-1.5, 1, 1).asDiagonal(), 0.1, 0.9).strain == 0);
  CHECK(paper_flow(Vec3(1.8, 1.8, 1.8).asDiagonal(), 0.1, 0.9).stretch.isIdentity(1e-12));
}

TEST_CASE("the paper's law keeps momentum, for any stiffness and number of iterations") {
  for (const int iterations : {1, 4}) {
    Body body = paper_box(0.9, iterations, dough(0.03, 0));
    const std::vector<Vec3> start = body.nodes.position;
    for (int p = 0; p < body.nodes.size(); ++p)
      body.nodes.velocity[p] = Vec3(1 + 2 * start[p].x(), start[p].z(), -start[p].y());
    const Vec3 linear = momentum(body.nodes), angular = angular_momentum(body.nodes);
    move(body, 60, 1);
    CHECK((momentum(body.nodes) - linear).norm() < 1e-12 * linear.norm());
    // What pieces are shifted by keeps no angular momentum; the paper's law loses some.
    CHECK((angular_momentum(body.nodes) - angular).norm() < 0.3 * angular.norm());
  }
}

TEST_CASE("the paper's law is stiffer with more iterations, and says which yields it knows") {
  double length[2] = {};
  for (const int iterations : {1, 8}) {
    Body body = paper_box(0.3, iterations, dough(0.03, 0));
    Handle top;
    for (int p = 0; p < body.nodes.size(); ++p)
      if (body.nodes.position[p].x() > 0.2) {
        top.nodes.push_back(p);
        top.rest.push_back(body.nodes.position[p]);
      }
    body.handles.push_back(top);
    move(body, 120, 1, Vec3(-9.81, 0, 0), [&](double time) { move_handles(body, time); });
    length[iterations > 1] = bounds(body.skin.position).extent().x();
  }
  CHECK(length[0] > length[1] + 0.002);
  CHECK(length[1] > 0.6);
  Material pascals = dough();
  pascals.plastic->yield_strain.reset();
  pascals.plastic->yield = 500;
  CHECK_THROWS_WITH_AS(paper_box(0.9, 4, pascals), doctest::Contains("stress"), InputError);
}

TEST_CASE("what is drawn out under the paper's law stays so, with its mass to the bit") {
  Body body = paper_box(0.9, 4, dough(0.01, 138), true);
  const double mass = total_mass(body.nodes);
  for (int p = 0; p < body.nodes.size(); ++p)
    body.nodes.velocity[p] = Vec3(30 * body.nodes.position[p].x(), 0, 0);
  move(body, 40, 1);
  CHECK(total_mass(body.nodes) == mass);
  CHECK(bounds(body.skin.position).extent().x() > 0.68);
}

TEST_CASE("a body under the paper's law goes on from a saved state as if nothing had happened") {
  const auto begun = [] { return paper_box(0.9, 4, dough(0.01, 138), true); };
  const auto hash_of = [](Body& body) {
    Archive archive = Archive::hashing();
    body.archive(archive);
    return archive.hash();
  };
  Body body = begun();
  for (int p = 0; p < body.nodes.size(); ++p)
    body.nodes.velocity[p] = Vec3(30 * body.nodes.position[p].x(), 0, 0);
  move(body, 5, 1);
  Archive saving = Archive::saving();
  body.archive(saving);
  move(body, 10, 1);
  Body again = begun();
  Archive loading = Archive::loading(saving.bytes());
  again.archive(loading);
  move(again, 10, 1);
  CHECK(hash_of(again) == hash_of(body));
}
