#include "methods/nurbs/paper/paper.h"

#include <Eigen/Eigenvalues>
#include <doctest/doctest.h>
#include <numbers>

#include "geometry/nurbs/primitives.h"
#include "methods/nurbs/paper/rays.h"
#include "methods/shared/galerkin/elastic.h"

namespace pliant::nurbs::paper {
namespace {

Kinematics make(const std::vector<NurbsPatch>& patches, Settings settings) {
  return make_paper_kinematics(patches, settings);
}

/// Faces raised to degree 2.
std::vector<NurbsPatch> quadratic(std::vector<NurbsPatch> patches) {
  for (NurbsPatch& patch : patches)
    for (const bool along_u : {true, false}) raise_to_quadratic(patch, along_u);
  return patches;
}

std::vector<NurbsPatch> moved(std::vector<NurbsPatch> patches, const Vec3& by) {
  for (NurbsPatch& patch : patches)
    for (Vec3& pole : patch.pole) pole += by;
  return patches;
}

/// A box that reaches deep into another, faces side by side.
std::vector<NurbsPatch> overlapping_boxes() {
  std::vector<NurbsPatch> patches = quadratic(nurbs_box({1, 0.4, 0.4}));
  for (const NurbsPatch& patch : moved(quadratic(nurbs_box({0.3, 0.8, 0.2})), {0.1, 0.3, 0.02}))
    patches.push_back(patch);
  return patches;
}

/// 1/2 x^T S x of the error rows, for Young's modulus 1.
double error_energy(const Kinematics& made, const std::vector<Vec3>& x) {
  double sum = 0;
  for (const ErrorRow& row : made.error) {
    Vec3 off = Vec3::Zero();
    for (std::size_t k = 0; k < row.node.size(); ++k) off += row.coefficient[k] * x[row.node[k]];
    sum += 0.5 * row.weight * off.squaredNorm();
  }
  return sum;
}

galerkin::Elastic elastic(const Kinematics& made, double poisson) {
  galerkin::Points points = made.points;
  points.material.assign(std::size_t(points.size()), 0);
  const std::vector<galerkin::SquaredSum> sums(made.error.begin(), made.error.end());
  return galerkin::Elastic(
      std::move(points), {galerkin::Law::from(galerkin::Law::Kind::log_neo_hookean, 1, poisson)},
      int(made.node.size()), true, galerkin::quadratic_form(sums, int(made.node.size())));
}

Eigen::MatrixXd stiffness_at_rest(const Kinematics& made) {
  galerkin::Elastic body = elastic(made, 0.3);
  body.update(made.node);
  body.keep_tangents();
  const auto nodes = made.node.size();
  Eigen::MatrixXd K(3 * nodes, 3 * nodes);
  std::vector<Vec3> x(nodes, Vec3::Zero()), y(nodes);
  for (std::size_t k = 0; k < 3 * nodes; ++k) {
    x[k / 3][Eigen::Index(k % 3)] = 1;
    body.multiply(x, y);
    x[k / 3].setZero();
    for (std::size_t n = 0; n < nodes; ++n)
      K.block<3, 1>(Eigen::Index(3 * n), Eigen::Index(k)) = y[n];
  }
  return K;
}

std::vector<Settings> all_settings() {
  std::vector<Settings> all;
  for (const int order : {1, 2})
    for (const auto connect :
         {Settings::Connect::none, Settings::Connect::weld, Settings::Connect::stitch}) {
      Settings settings{.order = order, .connect = connect};
      settings.rays = Vec3(3, 3, 8);
      all.push_back(settings);
      settings.pull = 0;
      settings.origins = Settings::Origins::lightest;
      settings.metric = Settings::Metric::parameter;
      all.push_back(settings);
    }
  return all;
}

TEST_CASE("Constant and linear fields are exact at every point, in every variant") {
  for (const std::vector<NurbsPatch>& patches :
       {nurbs_beam({5, 1, 1}, 3), nurbs_cylinder(0.4, 1), overlapping_boxes()})
    for (const Settings& settings : all_settings()) {
      const Kinematics made = make(patches, settings);
      CHECK(made.consistency < 1e-10);
      std::vector<Vec3> x = made.node;
      Mat3 A;
      A << 1.2, 0.3, 0, -0.4, 0.9, 0.1, 0.5, 0, 1.1;
      for (Vec3& p : x) p = A * p + Vec3(1, 2, 3);
      CHECK(error_energy(made, x) < 1e-20);
      galerkin::Elastic body = elastic(made, 0.3);
      body.update(x);
      for (int p = 0; p < made.points.size(); ++p) CHECK((body.F(p) - A).norm() < 1e-10);
    }
}

TEST_CASE("A rotation costs no energy") {
  const Mat3 R = Eigen::AngleAxisd(1, Vec3(1, 2, -1).normalized()).toRotationMatrix();
  const Kinematics made = make(overlapping_boxes(), {});
  std::vector<Vec3> x = made.node;
  for (Vec3& p : x) p = R * p;
  galerkin::Elastic body = elastic(made, 0.45);
  body.update(x);
  CHECK(std::abs(body.energy()) < 1e-14);
}

TEST_CASE("Nothing but rigid motions is free: six zero modes") {
  for (const Settings& settings : all_settings()) {
    const Kinematics made = make(quadratic(nurbs_beam({2, 1, 1}, 2)), settings);
    const Eigen::VectorXd modes = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(
                                      stiffness_at_rest(made), Eigen::EigenvaluesOnly)
                                      .eigenvalues();
    CHECK(std::abs(modes[0]) < 1e-12 * modes.tail<1>()[0]);
    CHECK(std::abs(modes[5]) < 1e-12 * modes.tail<1>()[0]);
    CHECK(modes[6] > 1e-5 * modes.tail<1>()[0]);
  }
}

// All poles of both end planes are moved; the others are free.
double stretched_stiffness(const std::vector<NurbsPatch>& patches, const Settings& settings) {
  const Kinematics made = make(patches, settings);
  const Eigen::MatrixXd K = stiffness_at_rest(made);
  const Box box = bounds(made.node);
  std::vector<int> free;
  Eigen::VectorXd u = Eigen::VectorXd::Zero(K.rows());
  for (int n = 0; n < int(made.node.size()); ++n)
    for (int d = 0; d < 3; ++d) {
      const double x = made.node[n].x();
      const bool is_end = x < box.low.x() + 1e-9 || x > box.high.x() - 1e-9;
      if (d > 0 || !is_end) free.push_back(3 * n + d);
      else u[3 * n] = x;  // strain 1
    }
  // Rigid motions across are left: the least-squares solution has none.
  const Eigen::MatrixXd inner = K(free, free);
  const Eigen::VectorXd right = -(K * u)(free);
  const Eigen::VectorXd solved = inner.completeOrthogonalDecomposition().solve(right);
  u(free) = solved;
  const Vec3 extent = box.extent();
  return u.dot(K * u) / (extent.prod());
}

TEST_CASE("A welded cube of linear parts is as stiff as its Young's modulus") {
  // The rest of the table: seams make it softer (none), quadratic terms a little.
  const std::vector<NurbsPatch> cube = quadratic(nurbs_box({1, 1, 1}));
  Settings settings{.order = 1, .connect = Settings::Connect::weld, .length = 1};
  settings.rays = Vec3(6, 6, 6);
  settings.cutoff = 0.501;
  settings.pull = 0;
  CHECK(stretched_stiffness(cube, settings) == doctest::Approx(1).epsilon(1e-3));
  settings.order = 2;
  CHECK(stretched_stiffness(cube, settings) == doctest::Approx(0.935).epsilon(0.02));
}

TEST_CASE("Rays find the volume of a sphere as a midpoint rule does") {
  const std::vector<NurbsPatch> sphere = nurbs_sphere(1);
  const PartSurface surface(sphere);
  const double exact = 4.0 / 3 * std::numbers::pi;
  const std::vector<std::pair<int, double>> table = {{1, 0.91},  {2, 0.35},  {3, 0.13},
                                                     {5, 0.065}, {9, 0.015}, {15, 0.006}};
  for (const bool by_orientation : {false, true}) {
    const RayCaster caster(surface, by_orientation);
    for (const auto& [rays, error] : table) {
      const RayPoints points =
          cast_grid(caster, bounds(surface.drawn.mesh.points), 0, rays, rays, 5);
      CHECK(std::abs(points.total / exact - 1) < 1.5 * error);
    }
    CHECK(std::abs(cast_evenly(caster, bounds(surface.drawn.mesh.points), 1500).total / exact - 1) <
          0.006);
  }
}

TEST_CASE("What overlaps counts once, and a box is exact with any rays") {
  const double box = 1 * 0.4 * 0.4, stick = 0.3 * 0.8 * 0.2;
  const double shared = 0.3 * 0.3 * 0.2;
  const std::vector<NurbsPatch> patches = overlapping_boxes();
  const PartSurface surface(patches);
  for (const bool by_orientation : {false, true}) {
    const RayCaster caster(surface, by_orientation);
    const RayPoints points = cast_grid(caster, bounds(surface.drawn.mesh.points), 0, 60, 60, 2);
    CHECK(points.total == doctest::Approx(box + stick - shared).epsilon(0.01));
  }
  const PartSurface plain(nurbs_beam({5, 1, 1}, 3));
  const RayCaster caster(plain, false);
  CHECK(cast_grid(caster, bounds(plain.drawn.mesh.points), 0, 3, 3, 50).total ==
        doctest::Approx(5));
}

TEST_CASE("Faces that look the wrong way are turned before insides are asked for") {
  std::vector<NurbsPatch> patches = overlapping_boxes();
  const double right = make(patches, {}).occupied;
  for (const std::size_t wrong : {0, 3, 8})
    for (Triangle& t : patches[wrong].triangles) std::swap(t[1], t[2]);
  CHECK(make(patches, {}).occupied == doctest::Approx(right).epsilon(1e-12));
}

TEST_CASE("A sparsity that is asked for is reached, and no more than needed") {
  const std::vector<NurbsPatch> patches = nurbs_beam({5, 1, 1}, 5);
  double before = 0;
  for (const double share : {0.1, 0.4, 0.9}) {
    Settings settings;
    settings.sparsity = share;
    settings.connect = Settings::Connect::none;
    const Kinematics made = make(patches, settings);
    const double filled =
        double(made.points.node.size()) / (double(made.points.size()) * double(made.node.size()));
    CHECK(filled > before);
    before = filled;
  }
}

}  // namespace
}  // namespace pliant::nurbs::paper
