#include "methods/shared/shape_law/project.h"

#include <cmath>
#include <doctest/doctest.h>
#include <limits>

#include "methods/groups/test_bodies.h"

using namespace pliant;
using namespace pliant::groups;

namespace {

constexpr double no_limit = std::numeric_limits<double>::infinity();

/// One group and its members, deformed at random.
struct Specimen {
  Groups groups;
  Shapes shapes;
  Compliance compliance;
  std::vector<Vec3> x;
  std::vector<double> w;

  Specimen(Groups made, const Material& of, const Settings& settings = {}, double wild = 0.2)
      : groups(std::move(made)) {
    const std::vector<Material> materials = {of};
    shapes = measure_shapes(groups, materials, settings);
    std::vector<Compliance> all;
    scale_compliances(shapes, 1e-3, {0, settings.law, settings.filter, settings.filter_stiffness},
                      all);
    compliance = all[0];
    const Mat3 turn = Quat(Eigen::AngleAxisd(1, Vec3(1, 2, 3).normalized())).toRotationMatrix();
    for (int i = 0; i < groups.particles(); ++i) {
      x.push_back(turn * groups.rest[i] + Vec3(5, -3, 2) + wild * random_vector(7, i));
      w.push_back(1 / groups.mass[i]);
    }
  }
  Members members() { return {x, w}; }
  Mat3 F() const { return deformation(shapes, 0, Places(x)); }
  Vec3 moment() const {  // of first order: linear momentum in units of 1/h
    Vec3 sum = Vec3::Zero();
    for (std::size_t i = 0; i < x.size(); ++i) sum += groups.mass[i] * x[i];
    return sum;
  }
  Vec3 torque(const std::vector<Vec3>& before) const {
    Vec3 sum = Vec3::Zero();
    for (std::size_t i = 0; i < x.size(); ++i)
      sum += groups.mass[i] * before[i].cross(x[i] - before[i]);
    return sum;
  }
};

/// A group in the plane z = 0, seen from a turned frame.
Groups flat_group(int n, double thickness) {
  Groups groups = one_group(n, 31);
  const Quat turn(Eigen::AngleAxisd(0.7, Vec3(1, -1, 0.3).normalized()));
  for (Vec3& p : groups.rest) {
    p.z() *= thickness;
    p = turn * p;
  }
  return groups;
}

double energy(const Specimen& s, const std::vector<Vec3>& x) {
  return s.shapes.energy(0, deformation(s.shapes, 0, Places(x)));
}

}  // namespace

TEST_CASE("the fit finds any affine movement, whatever the masses and the number of members") {
  for (const int n : {4, 5, 8, 20, 100}) {
    Specimen s(one_group(n, 3), material(1e5, .3));
    const Mat3 A = Mat3::Identity() + 0.5 * test::random_matrix(11);
    for (int i = 0; i < n; ++i) s.x[i] = A * s.groups.rest[i] + Vec3(100, 200, -50);
    CHECK((s.F() - A).norm() < 1e-11);
    for (int i = 0; i < n; ++i)
      CHECK((centre(s.shapes, 0, s.x) + A * s.shapes.arm[i] - s.x[i]).norm() < 1e-11);
  }
}

TEST_CASE("a builder's own weights decide the centre, and the fit still finds affine movement") {
  Groups groups = one_group(9, 3);
  Vec3 middle = Vec3::Zero();
  for (int i = 0; i < 9; ++i) {
    groups.weight.push_back(1 + i % 3);
    middle += (1 + i % 3) * groups.rest[i] / 18;
  }
  Specimen s(groups, material(1e5, .3), {}, 0);
  const Mat3 A = Mat3::Identity() + 0.5 * test::random_matrix(11);
  for (int i = 0; i < 9; ++i) s.x[i] = A * groups.rest[i];
  CHECK((s.F() - A).norm() < 1e-11);
  CHECK((centre(s.shapes, 0, s.x) - A * middle).norm() < 1e-12);
}

TEST_CASE("slopes are the derivative of F, and sum to zero") {
  const Specimen s(one_group(8, 3), material(1e5, .3));
  Vec3 sum = Vec3::Zero();
  for (int i = 0; i < 8; ++i) {
    sum += s.shapes.slope[i];
    std::vector<Vec3> moved = s.x;
    moved[i].y() += 1e-6;
    const Mat3 dF = (deformation(s.shapes, 0, Places(moved)) - s.F()) / 1e-6;
    CHECK((dF - Vec3::UnitY() * s.shapes.slope[i].transpose()).norm() < 1e-9);
  }
  CHECK(sum.norm() < 1e-14);
}

TEST_CASE("energies of thin groups have the gradient that moves them") {
  // The normal of a sheet turns with it; that the gradient needs no term for it is what is tested.
  Specimen s(flat_group(7, 0), material(1e5, .3));
  REQUIRE(s.shapes.shape[0].extent == Extent::thin);
  const Mat3 F = s.F(), stress = s.shapes.law[0].stress(F);
  for (int i = 0; i < 7; ++i)
    for (int axis = 0; axis < 3; ++axis) {
      std::vector<Vec3> more = s.x, less = s.x;
      more[i][axis] += 1e-5;
      less[i][axis] -= 1e-5;
      const double slope = (energy(s, more) - energy(s, less)) / 2e-5;
      const double expected = 0.5 * (stress * s.shapes.slope[i])[axis];  // V = 0.5
      CHECK(slope == doctest::Approx(expected).epsilon(1e-6).scale(1e4));
    }
}

TEST_CASE("groups know whether they are full, thin or a line") {
  CHECK(Specimen(flat_group(9, 0.1), material(1e5, .3)).shapes.shape[0].extent == Extent::full);
  CHECK(Specimen(flat_group(9, 1e-3), material(1e5, .3)).shapes.shape[0].extent == Extent::thin);
  Groups line = one_group(5, 3);
  for (Vec3& p : line.rest) p = {p.x(), 2 * p.x(), 1e-3 * p.z()};
  CHECK(Specimen(line, material(1e5, .3)).shapes.shape[0].extent == Extent::line);
  Groups point = one_group(5, 3);
  for (Vec3& p : point.rest) p = {1, 2, 3};
  CHECK_THROWS_WITH(Specimen(point, material(1e5, .3)), doctest::Contains("without any extent"));
}

TEST_CASE("tiny and huge groups, and those in the plane x + y + z = 0, have a fit") {
  for (const double scale : {1e-6, 1e6}) {
    Groups groups = one_group(8, 3);
    for (Vec3& p : groups.rest) p *= scale;
    for (double& m : groups.mass) m *= scale * scale * scale;
    Specimen s(groups, material(1e5, .3), {}, 0);
    CHECK((s.F().transpose() * s.F() - Mat3::Identity()).norm() < 1e-9);
  }
  Groups groups = one_group(8, 3);
  for (Vec3& p : groups.rest) p.z() = -p.x() - p.y();  // where the paper's unit of Q is zero
  Specimen s(groups, material(1e5, .3), {}, 0);
  CHECK((s.F().transpose() * s.F() - Mat3::Identity()).norm() < 1e-9);
}

TEST_CASE("projections and filters keep momentum, and angular momentum about where they start") {
  Settings hookean;
  hookean.law = Law::hookean;
  using Act = void (*)(Specimen&);
  const std::pair<Act, Settings> acts[] = {
      {[](Specimen& s) {
         Multipliers m;
         project(s.shapes, 0, s.compliance, no_limit, s.members(), m);
       },
       {}},
      {[](Specimen& s) {
         Multipliers m;
         project_hookean(s.shapes, 0, s.compliance, no_limit, s.members(), m);
       },
       hookean},
      {[](Specimen& s) { match_shape(s.shapes, 0, s.compliance, s.members()); }, {}},
      {[](Specimen& s) { filter(s.shapes, 0, 0.7, Places(std::vector<Vec3>(s.x)), s.members()); },
       {}},
      {[](Specimen& s) {
         filter_quadratic(s.shapes, quadratic_modes(s.shapes), 0, 0.7, 1e-2,
                          Places(std::vector<Vec3>(s.x)), s.members());
       },
       {}}};
  for (const auto& [act, settings] : acts)
    for (const int n : {5, 8, 27}) {
      Specimen s(one_group(n, 3), material(1e5, .4), settings);
      const std::vector<Vec3> before = s.x;
      const Vec3 moment = s.moment();
      act(s);
      double moved = 0;
      for (int i = 0; i < n; ++i) moved += (s.x[i] - before[i]).norm();
      CHECK(moved > 1e-6);
      CHECK((s.moment() - moment).norm() < 1e-13 * moment.norm());
      CHECK(s.torque(before).norm() < 1e-12 * n);
    }
}

TEST_CASE("at rest nothing moves, turned or not, for any stiffness and nu up to 0.5") {
  for (const double poisson : {0.0, 0.3, 0.49, 0.5})
    for (const double young : {1e2, 1e9}) {
      Specimen s(one_group(12, 3), material(young, poisson), {}, 0);
      const std::vector<Vec3> before = s.x;
      Multipliers multipliers;
      project(s.shapes, 0, s.compliance, no_limit, s.members(), multipliers);
      filter(s.shapes, 0, 1, Places(before), s.members());
      for (int i = 0; i < 12; ++i) CHECK((s.x[i] - before[i]).norm() < 1e-12);
    }
}

TEST_CASE("an incompressible group is brought to its volume") {
  Specimen s(one_group(10, 3), material(1e3, 0.5));
  for (int i = 0; i < 30; ++i) {
    Multipliers multipliers;
    project(s.shapes, 0, s.compliance, no_limit, s.members(), multipliers);
  }
  CHECK(s.F().determinant() == doctest::Approx(1).epsilon(1e-3));
}

TEST_CASE("held members stay, and the others answer as if they were alone") {
  Specimen s(one_group(8, 3), material(1e5, .4));
  s.w[2] = s.w[5] = 0;
  const std::vector<Vec3> before = s.x;
  const double start = energy(s, s.x);
  Multipliers multipliers;
  project(s.shapes, 0, s.compliance, no_limit, s.members(), multipliers);
  filter(s.shapes, 0, 0.5, Places(before), s.members());
  CHECK(s.x[2] == before[2]);
  CHECK(s.x[5] == before[5]);
  CHECK((s.x[0] - before[0]).norm() > 1e-6);
  CHECK(energy(s, s.x) < start);
}

TEST_CASE("the hard filter leaves only affine movement, and does nothing the second time") {
  Settings settings;
  settings.filter = Filter::hard;
  Specimen s(one_group(15, 3), material(1e5, .4), settings);
  REQUIRE(s.compliance.filter == 1);
  const Mat3 F = s.F();
  const std::vector<Vec3> before = s.x;
  filter(s.shapes, 0, 1, Places(before), s.members());
  CHECK((s.F() - F).norm() < 1e-13);
  const std::vector<Vec3> once = s.x;
  filter(s.shapes, 0, 1, Places(once), s.members());
  for (int i = 0; i < 15; ++i) CHECK((s.x[i] - once[i]).norm() < 1e-13);
}

TEST_CASE("a filter never lengthens the ways to the fit, by weight, as stiff as it may be") {
  for (const Weighting weighting : {Weighting::equal, Weighting::mass})
    for (const double stiffness : {0.1, 10.0, 1e9}) {
      Settings settings;
      settings.weighting = weighting;
      settings.filter_stiffness = stiffness;
      Specimen s(one_group(9, 3), material(1e5, .4), settings, 1);
      const auto squares = [&] {
        double sum = 0;
        for (int i = 0; i < 9; ++i)
          sum += s.shapes.weight[i] *
                 (s.x[i] - centre(s.shapes, 0, s.x) - s.F() * s.shapes.arm[i]).squaredNorm();
        return sum;
      };
      const double start = squares();
      const std::vector<Vec3> before = s.x;
      filter(s.shapes, 0, s.compliance.filter, Places(before), s.members());
      CHECK(squares() < start);
    }
}

TEST_CASE("of equal weight, particles of a grid carry a uniform stress as a face's traction") {
  // What a group's law does to its members under a stress P is V P b; the sum over the groups of a
  // box is zero inside and P n times its part of the area on a face.
  const Vec3 size(0.3, 0.4, 0.6);
  const Solid solid = solid_of(material(1e5, .3));
  const Groups groups = hex_groups(tet_block({3, 2, 4}, size), {}, {}, solid);
  const std::vector<Material> materials = {solid.material};
  const Shapes shapes = measure_shapes(groups, materials, {});
  const Mat3 stress = test::random_matrix(5);
  std::vector<Vec3> force(groups.rest.size(), Vec3::Zero());
  for (int g = 0; g < groups.size(); ++g)
    for (int k = groups.start[g]; k < groups.start[g + 1]; ++k)
      force[groups.member[k]] += groups.volume[g] * stress * shapes.slope[k];
  const Vec3 cell = size.cwiseQuotient(Vec3(3, 2, 4));
  for (int i = 0; i < groups.particles(); ++i) {
    Vec3 outwards = Vec3::Zero();
    for (int axis = 0; axis < 3; ++axis) {
      if (groups.rest[i][axis] < 1e-9) outwards[axis] = -1;
      if (groups.rest[i][axis] > size[axis] - 1e-9) outwards[axis] = 1;
    }
    Vec3 expected = Vec3::Zero();
    for (int axis = 0; axis < 3; ++axis) {
      double area = 1;
      for (int other = 0; other < 3; ++other)
        if (other != axis) area *= (outwards[other] == 0 ? 1 : 0.5) * cell[other];
      expected += outwards[axis] * area * stress.col(axis);
    }
    CHECK((force[i] - expected).norm() < 1e-12);
  }
}

TEST_CASE("the cap limits the root mean square of the moves") {
  Settings settings;
  settings.weighting = Weighting::mass;
  Specimen s(one_group(8, 3), material(1e8, .4), settings, 1);
  const std::vector<Vec3> before = s.x;
  Multipliers multipliers;
  CHECK(project(s.shapes, 0, s.compliance, 0.01, s.members(), multipliers) == Projection::capped);
  double squares = 0;
  for (int i = 0; i < 8; ++i)
    squares += s.shapes.weight[i] / s.shapes.shape[0].mass * (s.x[i] - before[i]).squaredNorm();
  CHECK(std::sqrt(squares) == doctest::Approx(0.01));
}

TEST_CASE("a line keeps the distance of its ends as a bar of modulus E") {
  Groups line = one_group(2, 3);
  line.rest = {{0, 0, 0}, {2, 0, 0}};
  line.mass = {1, 1};
  Specimen s(line, material(1e5, .3), {}, 0);
  // Pulled by a known force, many substeps: here simply the balance of constraint and force.
  const double h = 1e-3, force = 1e3, stretch = force * 2 / (1e5 * 0.25);  // A = V / L = 0.25
  for (int i = 0; i < 20000; ++i) {
    Vec3 along = (s.x[1] - s.x[0]).normalized();
    s.x[0] -= h * h * force * along;
    s.x[1] += h * h * force * along;
    Multipliers multipliers;
    project_line(s.shapes, 0, s.compliance, no_limit, s.members(), multipliers);
  }
  CHECK((s.x[1] - s.x[0]).norm() - 2 == doctest::Approx(stretch).epsilon(1e-2));
}

TEST_CASE("classic shape matching ends at the rigid fit") {
  Specimen s(one_group(8, 3), material(1e5, .3), {}, 0.3);
  for (int i = 0; i < 2000; ++i) match_shape(s.shapes, 0, s.compliance, s.members());
  CHECK((s.F().transpose() * s.F() - Mat3::Identity()).norm() < 1e-6);
  CHECK(s.F().determinant() == doctest::Approx(1));
}
