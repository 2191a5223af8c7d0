#include "studies/tet_equilibrium.h"

#include <doctest/doctest.h>

#include "geometry/sample/tet_block.h"

using namespace pliant;

namespace {

std::vector<char> held_at_x0(const TetMesh& mesh) {
  std::vector<char> held;
  for (const Vec3& p : mesh.points) held.push_back(p.x() == 0);
  return held;
}

}  // namespace

TEST_CASE("the reference's gradient and Hessian are derivatives of its value") {
  const TetMesh mesh = tet_block({2, 1, 1}, {2, 1, 1});
  TetEnergy energy(mesh, NeoHookean::from(1e3, 0.3), held_at_x0(mesh));
  energy.set_weight(10, {0, -9.81, 0});
  std::vector<Vec3> p = mesh.points;
  energy.set_inertia(10, 0.1, p);
  VecX x = energy.unknowns(p);
  const VecX direction = VecX::Random(x.size());
  VecX g(x.size()), up(x.size()), down(x.size());
  energy.gradient(x, g);
  const double eps = 1e-5;
  const double slope =
      (energy.value(x + eps * direction) - energy.value(x - eps * direction)) / (2 * eps);
  CHECK(g.dot(direction) == doctest::Approx(slope).epsilon(1e-6));
  SparseMatrix H;  // at rest nothing needs projecting: it is exact
  energy.hessian(x, H);
  energy.gradient(x + eps * direction, up);
  energy.gradient(x - eps * direction, down);
  const VecX predicted = H.selfadjointView<Eigen::Lower>() * direction;
  CHECK((predicted - (up - down) / (2 * eps)).norm() < 1e-6 * predicted.norm());
}

TEST_CASE("the reference bends the cantilever to the golden tips (position-based.md 14.3)") {
  const TetMesh mesh = tet_block({8, 2, 2}, {0.8, 0.2, 0.2});
  for (const auto& [poisson, tip] : {std::pair(0.3, -0.408319), std::pair(0.45, -0.372188),
                                     std::pair(0.49, -0.327059), std::pair(0.499, -0.295893)}) {
    TetEnergy energy(mesh, NeoHookean::from(2e5, poisson), held_at_x0(mesh));
    energy.set_weight(1000, {0, -9.81, 0});
    std::vector<Vec3> p = mesh.points;
    const NewtonReport report = find_equilibrium(energy, p);
    CHECK(report.converged);
    CHECK(p[8].y() == doctest::Approx(tip).epsilon(1e-5));  // node (8, 0, 0), at y = 0
  }
}
