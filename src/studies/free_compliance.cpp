#include "studies/free_compliance.h"

#include <unordered_map>

#include "core/assert.h"
#include "core/parallel.h"
#include "methods/shared/galerkin/free_response.h"
#include "methods/shared/galerkin/galerkin_method.h"

namespace pliant {
namespace {

using namespace free_bodies;
using BrickStiffness = Eigen::Matrix<double, 24, 24>;

constexpr int grain = 256;

Vec3 corner(int n) { return {n & 1 ? 1.0 : -1.0, n & 2 ? 1.0 : -1.0, n & 4 ? 1.0 : -1.0}; }

/// Of a brick of edge 1: it grows with the edge.
BrickStiffness brick_stiffness(double poisson) {
  const Eigen::Matrix<double, 6, 6> D = hooke(poisson);
  Eigen::Matrix<double, 24, 24> nodes = Eigen::Matrix<double, 24, 24>::Zero();
  Eigen::Matrix<double, 24, 9> mixed = Eigen::Matrix<double, 24, 9>::Zero();
  Eigen::Matrix<double, 9, 9> inner = Eigen::Matrix<double, 9, 9>::Zero();
  const double at[] = {-std::sqrt(0.6), 0, std::sqrt(0.6)}, weight[] = {5.0 / 9, 8.0 / 9, 5.0 / 9};
  for (int i = 0; i < 27; ++i) {
    const Vec3 x(at[i % 3], at[i / 3 % 3], at[i / 9]);
    const double w = weight[i % 3] * weight[i / 3 % 3] * weight[i / 9] / 8;
    Eigen::Matrix<double, 6, 24> B;
    for (int n = 0; n < 8; ++n) {
      const Vec3 s = corner(n), f = Vec3::Ones() + s.cwiseProduct(x);
      B.middleCols<3>(3 * n) =
          strain_of(Vec3(s[0] * f[1] * f[2], s[1] * f[0] * f[2], s[2] * f[0] * f[1]) / 4);
    }
    Eigen::Matrix<double, 6, 9> G;
    for (int k = 0; k < 3; ++k) G.middleCols<3>(3 * k) = strain_of(-4 * x[k] * Vec3::Unit(k));
    nodes += w * B.transpose() * D * B;
    mixed += w * B.transpose() * D * G;
    inner += w * G.transpose() * D * G;
  }
  return nodes - mixed * inner.ldlt().solve(mixed.transpose());
}

/// The voxels as bricks that share their corners.
struct Bricks {
  std::vector<std::array<int, 8>> corners;  // per brick
  std::vector<std::array<int, 8>> bricks;   // per node: the brick it is corner c of; -1 = none
  std::vector<Vec3> place;                  // [m] per node

  explicit Bricks(const Occupancy& solid) {
    std::unordered_map<std::int64_t, int> number;
    const std::int64_t wide = solid.count.maxCoeff() + 1;
    for (const Eigen::Vector3i& cell : solid.cell) {
      const int brick = int(corners.size());
      corners.emplace_back();
      for (int c = 0; c < 8; ++c) {
        const Eigen::Vector3i at = cell + Eigen::Vector3i(c & 1, c >> 1 & 1, c >> 2);
        const auto [entry, is_new] =
            number.try_emplace((at[2] * wide + at[1]) * wide + at[0], int(place.size()));
        if (is_new) {
          place.push_back(solid.low + solid.edge * at.cast<double>());
          bricks.push_back({-1, -1, -1, -1, -1, -1, -1, -1});
        }
        corners[brick][c] = entry->second;
        bricks[entry->second][c] = brick;
      }
    }
  }
};

}  // namespace

Compliances brick_compliance(const Occupancy& solid, const FreeLoads& loads, double poisson) {
  const Bricks grid(solid);
  const BrickStiffness stiffness = solid.edge * brick_stiffness(poisson);
  const int nodes = int(grid.place.size());
  const double share = std::pow(solid.edge, 3) / 8;
  Field load(grid.place.size(), Columns::Zero());
  std::vector<Vec3> diagonal(grid.place.size(), Vec3::Zero());
  for (int e = 0; e < solid.size(); ++e) {
    const Columns force = share * loads.at(solid.centre[e]);
    for (int c = 0; c < 8; ++c) {
      load[grid.corners[e][c]] += force;
      diagonal[grid.corners[e][c]] += stiffness.diagonal().segment<3>(3 * c);
    }
  }
  const auto product = [&](const Field& x, Field& y) {
    parallel_for(nodes, grain, [&](int begin, int end) {
      for (int n = begin; n < end; ++n) {
        Columns sum = Columns::Zero();
        for (int c = 0; c < 8; ++c) {
          const int brick = grid.bricks[n][c];
          if (brick < 0) continue;
          for (int d = 0; d < 8; ++d)
            sum += stiffness.block<3, 3>(3 * c, 3 * d) * x[grid.corners[brick][d]];
        }
        y[n] = sum;
      }
    });
  };
  const auto condition = [&](const Field& r, Field& z) {
    for (std::size_t n = 0; n < r.size(); ++n)
      z[n] = diagonal[n].cwiseInverse().asDiagonal() * r[n];
  };
  const RigidMotions rigid(grid.place);
  rigid.remove(load);
  return work_of(load, solve_loads(load, rigid, product, condition));
}

Compliances work_of(const Field& load, const Field& x) {
  const Sums work = dot(load, x);
  Compliances result;
  for (int l = 0; l < FreeLoads::count; ++l) result[l] = work[l];
  return result;
}

Compliances body_compliance(Body& body, const FreeLoads& loads) {
  auto* method = dynamic_cast<galerkin::GalerkinMethod*>(body.method.get());
  ASSERT(method, "a body of quadrature points");
  return galerkin::free_response(method->elastic(), body.nodes, body.extent, loads).work;
}

}  // namespace pliant
