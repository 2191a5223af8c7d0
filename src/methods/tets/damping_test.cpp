#include "methods/tets/damping.h"

#include <doctest/doctest.h>

#include "body/body.h"
#include "methods/tets/test_bodies.h"

using namespace pliant;
using namespace pliant::tets;

namespace {

/// Two separate blocks with random velocities; the second may have another rate.
struct Blocks {
  TetElements elements;
  Nodes nodes;

  explicit Blocks(double rate = 3, double other_rate = 3) {
    TetMesh mesh = block(2, 2, 2, {1, 1, 1});
    const int count = int(mesh.points.size());
    const std::size_t tets = mesh.tets.size();
    for (int n = 0; n < count; ++n) mesh.points.push_back(mesh.points[n] + Vec3(2, 0, 0));
    for (std::size_t t = 0; t < tets; ++t) {
      Tet tet = mesh.tets[t];
      for (int& node : tet) node += count;
      mesh.tets.push_back(tet);
    }
    nodes = Nodes::at(mesh.points);
    for (std::size_t t = 0; t < mesh.tets.size(); ++t) {
      elements.add(mesh, mesh.tets[t], 1, NeoHookean::from(1e5, 0.45),
                   t < tets ? rate : other_rate);
      for (const int node : mesh.tets[t]) nodes.mass[node] += elements.volume[t] / 4;
    }
    for (int n = 0; n < nodes.size(); ++n) nodes.velocity[n] = random_vector(5, n);
  }
  void damp(double h) { Damping(elements, nodes.size()).apply(nodes, h); }
  void turn_about(const Vec3& pivot, const Vec3& spin, const Vec3& drift) {
    for (int n = 0; n < nodes.size(); ++n)
      nodes.velocity[n] = drift + spin.cross(nodes.position[n] - pivot);
  }
};

double farthest(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, (a[i] - b[i]).norm());
  return most;
}

}  // namespace

TEST_CASE("damping keeps both momenta and loses energy, also where rates differ") {
  for (const double other : {3.0, 40.0, 0.0}) {
    Blocks blocks(3, other);
    const Vec3 linear = momentum(blocks.nodes), angular = angular_momentum(blocks.nodes);
    const double energy = kinetic_energy(blocks.nodes);
    blocks.damp(0.05);
    CHECK((momentum(blocks.nodes) - linear).norm() < 1e-13);
    CHECK((angular_momentum(blocks.nodes) - angular).norm() < 1e-13);
    CHECK(kinetic_energy(blocks.nodes) < energy);
  }
}

TEST_CASE("a rigid motion is not damped") {
  Blocks blocks;
  blocks.turn_about({0.3, 0.2, 0.1}, {1, -2, 3}, {4, 5, 6});
  const std::vector<Vec3> before = blocks.nodes.velocity;
  blocks.damp(0.1);
  CHECK(farthest(blocks.nodes.velocity, before) < 1e-12);
}

TEST_CASE("separate pieces do not hold each other back") {
  Blocks blocks;
  for (int n = 0; n < blocks.nodes.size(); ++n)
    blocks.nodes.velocity[n] = Vec3(n < blocks.nodes.size() / 2 ? 1 : -1, 0, 0);
  const std::vector<Vec3> before = blocks.nodes.velocity;
  blocks.damp(0.1);
  CHECK(farthest(blocks.nodes.velocity, before) < 1e-12);
}

TEST_CASE("held nodes lead: a clamped piece calms down, a hinged one swings on") {
  Blocks blocks;
  blocks.turn_about({0, 0, 0}, {0, 0, 1}, {0, 0, 0});  // about the edge x = y = 0
  for (int n = 0; n < blocks.nodes.size(); ++n) {
    const Vec3& p = blocks.nodes.position[n];
    if (p.x() == 0 && p.y() == 0) blocks.nodes.held[n] = 1;
  }
  const std::vector<Vec3> swinging = blocks.nodes.velocity;
  blocks.damp(0.1);
  CHECK(farthest(blocks.nodes.velocity, swinging) < 1e-5);

  for (int n = 0; n < blocks.nodes.size(); ++n)
    if (blocks.nodes.position[n].x() == 0) {
      blocks.nodes.held[n] = 1;
      blocks.nodes.velocity[n] = Vec3::Zero();
    }
  const Vec3 before = blocks.nodes.velocity[2];  // x = 1: the far side
  blocks.damp(0.1);
  const double kept = 1 / (1 + 3 * 0.1);
  CHECK(blocks.nodes.velocity[2].norm() == doctest::Approx(kept * before.norm()).epsilon(1e-4));
}

TEST_CASE("a mode of vibration dies at the same rate on coarse and fine meshes") {
  // Energy of a stretch mode after half a second, with damping 4 /s against none: exp(-4 * 0.5) in
  // all.
  for (const int cells : {2, 4, 6}) {
    double energy[2];
    for (const int damped : {0, 1}) {
      Body body =
          make_body(block(cells, cells, cells, {1, 1, 1}), material(1e5, .3, damped ? 4 : 0));
      for (int n = 0; n < body.nodes.size(); ++n)
        body.nodes.velocity[n].x() = 0.5 * (body.nodes.position[n].x() - 0.5);
      double time = 0;
      energy[damped] = 0;
      for (int s = 0; s < 900; ++s) {
        substep(body, 1.0 / 1200, time);
        if (s >= 300)  // over many swings, so that the phase does not matter
          energy[damped] += kinetic_energy(body.nodes) * std::exp(damped * 4 * time);
      }
    }
    CHECK(energy[1] / energy[0] == doctest::Approx(1).epsilon(0.1));
  }
}

TEST_CASE("nearly flat inertia is inverted as exactly as a round one") {
  for (const double thin : {1.0, 1e-2, 1e-4, 1e-5}) {
    const Mat3 turn = Quat(0.2, 0.5, -0.3, 0.7).normalized().toRotationMatrix();
    const Mat3 inertia = turn * Vec3(thin, 1, 1 + thin).asDiagonal() * turn.transpose();
    const Vec3 spin(0.3, -2, 1);
    const Vec3 found = angular_velocity(inertia, inertia * spin);
    CHECK((found - spin).norm() < 1e-12 / thin);
  }
}
