#pragma once

#include <vector>

#include "geometry/mesh/triangle_mesh.h"
#include "math/types.h"

namespace pliant {

/// The voxels whose centres lie inside a surface, however open it is (winding number above a half),
/// and questions about the solid that they make up. Pieces with a gap of one voxel between them are
/// joined by voxels in that gap; the others stay apart, and the smallest ones are left out.
class Occupancy {
 public:
  /// About `voxels` of them are inside.
  Occupancy(const TriangleMesh& surface, int voxels);

  int size() const { return int(centre.size()); }
  double volume() const { return size() * edge * edge * edge; }  // [m^3]
  /// The voxel of a cell; -1 = it is not inside.
  int at(const Eigen::Vector3i& cell) const;
  Eigen::Vector3i cell_of(const Vec3& place) const;
  /// The nearest voxel, of those at most three cells away; -1 = none.
  int near(const Vec3& place) const;
  /// [m] How far the solid reaches from a place of its surface along the normal, to either side.
  double thickness(const Vec3& place, const Vec3& normal) const;

  double edge = 0;  // [m]
  Vec3 low = Vec3::Zero();
  Eigen::Vector3i count = Eigen::Vector3i::Zero();
  std::vector<Vec3> centre;           // [m] per voxel
  std::vector<Eigen::Vector3i> cell;  // per voxel
  int pieces = 0;                     // that do not hang together
  int bridges = 0;                    // voxels in the gaps between pieces
  int left_out = 0;                   // voxels of pieces too small to have a stiffness
  std::vector<int> neighbour;         // 26 per voxel; -1 = not inside

 private:
  void fill(const TriangleMesh& surface, double voxel_edge);
  void join_pieces();
  void keep_solid_pieces();
  std::vector<int> find_pieces(std::vector<int>& piece) const;
  void gather(const std::vector<char>& inside);

  std::vector<int> voxel_;  // per cell
};

/// Ways through the solid: how far two voxels are from each other without leaving it. Keeps the
/// last search, so that many questions from one voxel cost one. Not for several threads at once.
class SolidDistance {
 public:
  explicit SolidDistance(const Occupancy& solid);

  /// Whether the way from one voxel to another is at most `limit` [m]. `farthest`: the largest
  /// limit that will be asked from here, so that one search does.
  bool within(int from, int to, double limit, double farthest);

 private:
  double straight(int from, int to) const;
  void flood(int from, double reach);

  const Occupancy& solid_;
  std::vector<float> distance_;
  std::vector<int> seen_;
  int search_ = 0;
  int from_ = -1;
  double reach_ = 0;
  std::vector<std::vector<int>> bucket_;
};

}  // namespace pliant
