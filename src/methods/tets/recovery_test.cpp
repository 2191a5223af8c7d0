#include "methods/tets/recovery.h"

#include <doctest/doctest.h>

#include "methods/tets/compliance.h"
#include "methods/tets/damping.h"
#include "methods/tets/test_bodies.h"

using namespace pliant;
using namespace pliant::tets;

namespace {

struct Made {
  TetMesh mesh = block(4, 4, 4, Vec3::Ones());
  TetElements elements;
  Nodes nodes = Nodes::at(mesh.points);

  explicit Made(double young = 1e5, double poisson = 0.5) {
    for (const Tet& tet : mesh.tets) {
      elements.add(mesh, tet, 1, NeoHookean::from(young, poisson), 0);
      for (const int node : tet) nodes.mass[node] += 1000 * elements.volume.back() / 4;
    }
  }
};

/// Looks as often as it takes until something may have been noticed, once.
void look(Recovery& recovery, Made& made, int times = 1) {
  for (int i = 0; i < times; ++i) recovery.look(made.elements, made.nodes, 8 * i);
}

}  // namespace

TEST_CASE("fully softened, every tet has the same beta and Poisson's ratio, whatever it was") {
  std::vector<Compliance> one, other;
  for (const double young : {1e3, 1e8}) {
    Made made(young);
    std::vector<Compliance>& c = young == 1e3 ? one : other;
    scale_compliances(made.elements, made.nodes.mass, 1e-3, 0.4, c);
    soften(made.elements, made.nodes.mass, 1, c);
  }
  for (std::size_t i = 0; i < one.size(); ++i) {
    CHECK(one[i].shape == doctest::Approx(other[i].shape).epsilon(1e-12));
    CHECK(one[i].volume == doctest::Approx(0.4 * one[i].shape).epsilon(1e-12));
    CHECK(one[i].gamma == doctest::Approx(1.4).epsilon(1e-12));
  }
}

TEST_CASE("softening leads smoothly from one to the other, and rest is balanced all the way") {
  Made made(1e5, 0.45);
  double last_volume = 0;
  for (const double softness : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    std::vector<Compliance> c, own;
    scale_compliances(made.elements, made.nodes.mass, 1e-3, 0.4, c);
    own = c;
    soften(made.elements, made.nodes.mass, softness, c);
    if (softness == 0) CHECK(c[0].shape == own[0].shape);
    CHECK(c[0].gamma == doctest::Approx(1 + c[0].volume / c[0].shape).epsilon(1e-12));
    CHECK(c[0].volume / c[0].shape > last_volume);
    last_volume = c[0].volume / c[0].shape;
  }
}

TEST_CASE("recovery starts when more than a hundredth is inverted, waits, and goes back to zero") {
  Made made;
  Recovery recovery(made.elements);
  look(recovery, made);
  CHECK(recovery.softness() == 0);
  CHECK(recovery.damping(1e-3) == 0);
  const std::vector<Vec3> rest = made.nodes.position;
  for (Vec3& p : made.nodes.position) p.x() *= -1;
  look(recovery, made);
  CHECK(recovery.softness() == 1);
  CHECK(recovery.damping(1e-3) > 0);
  made.nodes.position = rest;
  look(recovery, made, 3);
  CHECK(recovery.softness() == 1);
  look(recovery, made, 5);  // a crossing takes 18 substeps, a look is made every 8
  CHECK(recovery.softness() > 0);
  CHECK(recovery.softness() < 1);
  look(recovery, made, 100);
  CHECK(recovery.softness() == 0);
}

TEST_CASE("a few inverted tets start nothing; a body that is pulled out of shape is given time") {
  Made made;
  Recovery recovery(made.elements);
  made.nodes.position[0] += Vec3::Constant(0.3);  // a corner of the block: one tet, 1/320 and less
  look(recovery, made);
  CHECK(recovery.softness() == 0);
  made.nodes.position = made.mesh.points;
  for (Vec3& p : made.nodes.position) p.x() *= -1;
  look(recovery, made);
  for (std::size_t i = 0; i < made.mesh.points.size(); ++i)
    made.nodes.position[i] = 2 * made.mesh.points[i];
  look(recovery, made, 20);
  CHECK(recovery.softness() == 1);
  look(recovery, made, 200);
  CHECK(recovery.softness() == 0);
}

TEST_CASE("a body in one point is thrown apart, its centre of mass and held nodes stay") {
  Made made;
  Recovery recovery(made.elements);
  for (Vec3& p : made.nodes.position) p = Vec3(1, 2, 3);
  made.nodes.held[5] = 1;
  look(recovery, made);
  CHECK(made.nodes.position[5] == Vec3(1, 2, 3));
  CHECK((centre_of_mass(made.nodes) - Vec3(1, 2, 3)).norm() < 1e-12);
  CHECK(bounds(made.nodes.position).extent().minCoeff() > 0.5);
}

TEST_CASE("while it recovers a free body loses its spin; otherwise never") {
  for (const double more : {0.0, 5.0}) {
    Made made;
    Damping damping(made.elements, made.nodes.size());
    for (int i = 0; i < made.nodes.size(); ++i)
      made.nodes.velocity[i] = Vec3(1, 0, 0) + Vec3(0, 0, 2).cross(made.nodes.position[i]);
    const Vec3 before = momentum(made.nodes);
    const double spin = kinetic_energy(made.nodes);
    for (int i = 0; i < 1000; ++i) damping.apply(made.nodes, 1e-3, more);
    CHECK((momentum(made.nodes) - before).norm() < 1e-9 * before.norm());
    if (more == 0) CHECK(kinetic_energy(made.nodes) == spin);
    else
      CHECK(kinetic_energy(made.nodes) ==
            doctest::Approx(0.5 * before.squaredNorm() / total_mass(made.nodes)).epsilon(1e-3));
  }
}
