#include "studies/cell_compliance.h"

#include <map>

#include "core/parallel.h"
#include "geometry/query/bvh.h"
#include "geometry/query/winding_number.h"

namespace pliant {
namespace {

using namespace free_bodies;

constexpr int grain = 16;
constexpr int across = 4;  // voxels along an edge of a cell
constexpr int corners = 27;
using CellStiffness = Eigen::Matrix<double, 3 * corners, 3 * corners>;
// What the outside of a cell weighs, so that cells that are hardly cut into stay solvable.
constexpr double outside = 1e-6;
constexpr double tolerance = 3e-3;

/// Lagrange's quadratic functions on [0, 1] and their slopes.
Vec3 functions(double t) { return {(1 - t) * (1 - 2 * t), 4 * t * (1 - t), t * (2 * t - 1)}; }
Vec3 slopes(double t) { return {4 * t - 3, 4 - 8 * t, 4 * t - 1}; }

double value(int n, const Vec3& x) {
  return functions(x[0])[n % 3] * functions(x[1])[n / 3 % 3] * functions(x[2])[n / 9];
}
Vec3 gradient(int n, const Vec3& x) {
  const int i = n % 3, j = n / 3 % 3, k = n / 9;
  const Vec3 a = functions(x[0]), b = functions(x[1]), c = functions(x[2]);
  return {slopes(x[0])[i] * b[j] * c[k], a[i] * slopes(x[1])[j] * c[k],
          a[i] * b[j] * slopes(x[2])[k]};
}

Vec3 middle_of(int voxel) {
  return (Vec3(voxel % across, voxel / across % across, voxel / across / across) +
          Vec3::Constant(0.5)) /
         across;
}

/// What each voxel of a cell of edge 1 adds to its stiffness.
std::vector<CellStiffness> voxel_stiffness(double poisson) {
  const Eigen::Matrix<double, 6, 6> D = hooke(poisson);
  std::vector<CellStiffness> all(across * across * across, CellStiffness::Zero());
  const double apart = std::sqrt(1.0 / 3);
  for (int v = 0; v < int(all.size()); ++v)
    for (int g = 0; g < 8; ++g) {
      const Vec3 side(g & 1 ? 1 : -1, g & 2 ? 1 : -1, g & 4 ? 1 : -1);
      const Vec3 x = middle_of(v) + 0.5 / across * apart * side;
      Eigen::Matrix<double, 6, 3 * corners> B;
      for (int n = 0; n < corners; ++n) B.middleCols<3>(3 * n) = strain_of(gradient(n, x));
      all[v] += B.transpose() * D * B / 8 / double(all.size());
    }
  return all;
}

/// How much of each voxel is inside: by the distance of its centre from the surface.
class Filling {
 public:
  Filling(const TriangleMesh& surface, double edge)
      : surface_(surface), tree_(surface), winding_(surface), edge_(edge) {}

  double at(const Vec3& centre) const {
    const double reach = 0.87 * edge_;  // half a diagonal
    const SurfacePoint nearest = tree_.closest_point(surface_, centre, reach);
    const double sign = winding_.inside(centre) ? 1 : -1;
    if (nearest.triangle < 0) return sign > 0 ? 1 : 0;
    // A plane at this distance, as long as it looks along an axis, which is close enough otherwise.
    const Vec3 way = nearest.point - centre;
    const double distance = way.norm();
    const double wide = distance > 0 ? way.lpNorm<1>() / distance : 1;
    return std::clamp(0.5 + sign * distance / (edge_ * wide), 0.0, 1.0);
  }

 private:
  const TriangleMesh& surface_;
  const Bvh tree_;
  const WindingNumber winding_;
  const double edge_;
};

/// Cells with something inside, and the nodes that they share.
struct Cells {
  double edge = 0;
  std::vector<Eigen::Vector3i> place;                  // of each, in cells
  std::vector<std::vector<float>> fill;                // of each voxel
  std::vector<std::array<int, corners>> node;          // of each cell
  std::vector<std::vector<std::array<int, 2>>> cells;  // of each node: cell, which corner
  std::vector<Vec3> at;                                // [m] of each node

  Cells(const TriangleMesh& surface, int voxels) {
    const Occupancy coarse(surface, 4000);
    const double voxel = std::cbrt(coarse.volume() / voxels);
    edge = across * voxel;
    const Box box = bounds(surface.points);
    // Not in step with the box: its walls would lie in the sides of voxels.
    const Vec3 low = box.low - Vec3(0.37, 0.41, 0.43) * edge;
    const Eigen::Vector3i count = ((box.high - low) / edge).array().ceil().cast<int>();
    const Filling filling(surface, voxel);
    const int all = count.prod();
    std::vector<std::vector<float>> found(static_cast<std::size_t>(all));
    parallel_for(all, grain, [&](int begin, int end) {
      for (int c = begin; c < end; ++c) {
        const Vec3 corner =
            low + edge * Vec3(c % count[0], c / count[0] % count[1], c / count[0] / count[1]);
        std::vector<float> here(across * across * across);
        float sum = 0;
        for (int v = 0; v < int(here.size()); ++v)
          sum += here[v] = float(filling.at(corner + edge * middle_of(v)));
        if (sum > 0) found[c] = std::move(here);
      }
    });
    std::map<std::array<int, 3>, int> number;
    for (int c = 0; c < all; ++c) {
      if (found[c].empty()) continue;
      const Eigen::Vector3i cell(c % count[0], c / count[0] % count[1], c / count[0] / count[1]);
      const int mine = int(place.size());
      place.push_back(cell);
      fill.push_back(std::move(found[c]));
      node.emplace_back();
      for (int n = 0; n < corners; ++n) {
        const std::array<int, 3> key = {2 * cell[0] + n % 3, 2 * cell[1] + n / 3 % 3,
                                        2 * cell[2] + n / 9};
        const auto [entry, is_new] = number.try_emplace(key, int(at.size()));
        if (is_new) {
          at.push_back(low + 0.5 * edge * Vec3(key[0], key[1], key[2]));
          cells.emplace_back();
        }
        node[mine][n] = entry->second;
        cells[entry->second].push_back({mine, n});
      }
    }
    low_ = low;
  }
  Vec3 voxel(int cell, int v) const {
    return low_ + edge * (place[cell].cast<double>() + middle_of(v));
  }

 private:
  Vec3 low_ = Vec3::Zero();
};

}  // namespace

Compliances cell_compliance(const TriangleMesh& surface, int voxels, const FreeLoads& loads,
                            double poisson) {
  const Cells cells(surface, voxels);
  const std::vector<CellStiffness> part = voxel_stiffness(poisson);
  const int count = int(cells.place.size());
  std::vector<Eigen::MatrixXf> stiffness(cells.place.size());
  CellStiffness whole = CellStiffness::Zero();
  for (const CellStiffness& K : part) whole += K;
  parallel_for(count, grain, [&](int begin, int end) {
    for (int c = begin; c < end; ++c) {
      CellStiffness K = outside * whole;
      for (std::size_t v = 0; v < part.size(); ++v)
        if (cells.fill[c][v] > 0) K += double(cells.fill[c][v]) * part[v];
      stiffness[c] = (cells.edge * K).cast<float>();
    }
  });
  Field load(cells.at.size(), Columns::Zero());
  std::vector<Vec3> diagonal(cells.at.size(), Vec3::Zero());
  const double voxel_volume = std::pow(cells.edge / across, 3);
  for (int c = 0; c < count; ++c) {
    for (int v = 0; v < int(part.size()); ++v) {
      if (!(cells.fill[c][v] > 0)) continue;
      const Columns force = voxel_volume * cells.fill[c][v] * loads.at(cells.voxel(c, v));
      for (int n = 0; n < corners; ++n) load[cells.node[c][n]] += value(n, middle_of(v)) * force;
    }
    for (int n = 0; n < corners; ++n)
      diagonal[cells.node[c][n]] += stiffness[c].diagonal().segment<3>(3 * n).cast<double>();
  }
  std::vector<Eigen::MatrixXf> answer(cells.place.size());
  const auto product = [&](const Field& x, Field& y) {
    parallel_for(count, grain, [&](int begin, int end) {
      Eigen::MatrixXf own(3 * corners, FreeLoads::count);
      for (int c = begin; c < end; ++c) {
        for (int n = 0; n < corners; ++n)
          own.middleRows<3>(3 * n) = x[cells.node[c][n]].cast<float>();
        answer[c].noalias() = stiffness[c] * own;
      }
    });
    parallel_for(int(x.size()), 16 * grain, [&](int begin, int end) {
      for (int n = begin; n < end; ++n) {
        y[n].setZero();
        for (const auto& [cell, corner] : cells.cells[n])
          y[n] += answer[cell].middleRows<3>(3 * corner).cast<double>();
      }
    });
  };
  const auto condition = [&](const Field& r, Field& z) {
    for (std::size_t n = 0; n < r.size(); ++n)
      z[n] = diagonal[n].cwiseInverse().asDiagonal() * r[n];
  };
  const RigidMotions rigid(cells.at);
  rigid.remove(load);
  return work_of(load, solve_loads(load, rigid, product, condition, tolerance));
}

}  // namespace pliant
