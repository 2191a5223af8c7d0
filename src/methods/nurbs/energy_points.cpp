#include "methods/nurbs/energy_points.h"

#include <Eigen/Eigenvalues>
#include <array>
#include <map>

namespace pliant::nurbs {
namespace {

// Voxels along an edge of a block, and blocks along an edge of a bundle.
constexpr int voxels_across = 2;
constexpr int blocks_across = 2;
constexpr int most_in_bundle = 8;
// Walls of fewer voxels get two points a block. Of n blocks across, one point each, the energy of
// bending misses 1 / n^2: a ninth here.
constexpr double thin = 3 * voxels_across;
// [voxels] How far to look for the direction in which a wall is thin.
constexpr int window = 4;

struct Block {
  std::vector<int> voxels;
  Vec3 sum = Vec3::Zero();
  double thickness = 0;  // [m] sum over voxels
};

/// Across a wall: where what is inside reaches least far around a place.
Vec3 across_wall(const Occupancy& solid, const Eigen::Vector3i& cell) {
  Vec3 sum = Vec3::Zero();
  Mat3 square = Mat3::Zero();
  int count = 0;
  for (int x = -window; x <= window; ++x)
    for (int y = -window; y <= window; ++y)
      for (int z = -window; z <= window; ++z) {
        // A ball: the corners of a box would have a say in the direction.
        if (x * x + y * y + z * z > window * window) continue;
        if (solid.at(cell + Eigen::Vector3i(x, y, z)) < 0) continue;
        const Vec3 d(x, y, z);
        sum += d;
        square += d * d.transpose();
        ++count;
      }
  if (count == 0) return Vec3::UnitX();
  const Vec3 mean = sum / count;
  const Eigen::SelfAdjointEigenSolver<Mat3> principal(square / count - mean * mean.transpose());
  return principal.eigenvectors().col(0);
}

/// Whether both sides of the wall are as near: samples at edges of thick solids may not tell.
bool is_wall(const Occupancy& solid, const Vec3& middle, const Vec3& across) {
  double through = 0;  // [voxels]
  for (const double side : {-0.5, 0.5})
    for (int step = 1; through < thin; ++step, through += 0.5)
      if (solid.at(solid.cell_of(middle + side * step * solid.edge * across)) < 0) break;
  return through < thin;
}

/// [m] Half the distance of two points across the wall that have the second moment of the block.
double apart(const Occupancy& solid, const Block& block, const Vec3& middle, const Vec3& across) {
  double moment = solid.edge * solid.edge / 12;  // of a voxel itself
  for (const int v : block.voxels)
    moment += std::pow((solid.centre[v] - middle).dot(across), 2) / double(block.voxels.size());
  return std::sqrt(moment);
}

void end_bundle(EnergyPoints& points) {
  if (points.bundle.back() != int(points.place.size()))
    points.bundle.push_back(int(points.place.size()));
}

}  // namespace

EnergyPoints energy_points(const Occupancy& solid, const std::vector<double>& thickness) {
  // Key: bundle, then block within it.
  std::map<std::array<int, 6>, Block> blocks;
  for (int v = 0; v < solid.size(); ++v) {
    const Eigen::Vector3i block = solid.cell[v] / voxels_across;
    const Eigen::Vector3i bundle = block / blocks_across;
    Block& to = blocks[{bundle[0], bundle[1], bundle[2], block[0], block[1], block[2]}];
    to.voxels.push_back(v);
    to.sum += solid.centre[v];
    to.thickness += thickness[v];
  }
  EnergyPoints points;
  std::array<int, 3> last = {-1, -1, -1};
  const double voxel = solid.edge * solid.edge * solid.edge;
  for (const auto& [key, block] : blocks) {
    const std::array<int, 3> bundle = {key[0], key[1], key[2]};
    const double count = double(block.voxels.size()), volume = voxel * count;
    const Vec3 middle = block.sum / count;
    bool is_thin = block.thickness < thin * solid.edge * count;
    Vec3 across = Vec3::Zero();
    if (is_thin) {
      across = across_wall(solid, solid.cell[block.voxels[block.voxels.size() / 2]]);
      is_thin = is_wall(solid, middle, across);
    }
    const int room = most_in_bundle - int(points.place.size()) + points.bundle.back();
    if (bundle != last || room < (is_thin ? 2 : 1)) end_bundle(points);
    last = bundle;
    if (!is_thin) {
      points.place.push_back(middle);
      points.volume.push_back(volume);
      continue;
    }
    const Vec3 half = apart(solid, block, middle, across) * across;
    for (const Vec3& place : {Vec3(middle - half), Vec3(middle + half)}) {
      points.place.push_back(place);
      points.volume.push_back(0.5 * volume);
    }
  }
  end_bundle(points);
  return points;
}

}  // namespace pliant::nurbs
