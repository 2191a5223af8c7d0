#include "geometry/sample/crazy_block.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/assert.h"
#include "core/random.h"
#include "geometry/sample/tet_block.h"

// A regular block whose nodes are pushed about at random. A move that would make any tet too flat
// is not made, so the tets fill the cube at any time.

namespace pliant {
namespace {

constexpr double least_volume =
    1e-3;                            // of a tet, to the mean; flatter ones have no place in floats
constexpr double least_angle = 0.3;  // [degrees] wanted
constexpr double edge_ratio = 70;    // wanted
constexpr int most_rounds = 60;
constexpr double short_edge = 0.012;  // [cells] of the needles

/// Tets around each node.
std::vector<std::vector<int>> stars(const TetMesh& mesh) {
  std::vector<std::vector<int>> star(mesh.points.size());
  for (int t = 0; t < int(mesh.tets.size()); ++t)
    for (const int node : mesh.tets[t]) star[node].push_back(t);
  return star;
}

/// Moves the node, unless a tet around it would become smaller than `least`.
bool try_move(TetMesh& mesh, const std::vector<int>& star, int node, const Vec3& to, double least) {
  const Vec3 before = mesh.points[node];
  mesh.points[node] = to;
  for (const int t : star)
    if (volume(mesh, t) < least) {
      mesh.points[node] = before;
      return false;
    }
  return true;
}

/// Which coordinates of a node may change: those in which it is not on the cube's surface.
Vec3 freedom(const Vec3& p, double size) {
  Vec3 free;
  for (int axis = 0; axis < 3; ++axis) free[axis] = p[axis] > 0 && p[axis] < size ? 1 : 0;
  return free;
}

}  // namespace

TetQuality quality(const TetMesh& mesh) {
  TetQuality q;
  double longest = 0, shortest = std::numeric_limits<double>::infinity();
  const double mean = volume(mesh) / double(mesh.tets.size());
  for (int t = 0; t < int(mesh.tets.size()); ++t) {
    q.least_volume = std::min(q.least_volume, volume(mesh, t) / mean);
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b < 4; ++b)
        for (int c = b + 1; c < 4; ++c) {
          if (a == b || a == c) continue;
          const Vec3 u = mesh.points[mesh.tets[t][b]] - mesh.points[mesh.tets[t][a]];
          const Vec3 v = mesh.points[mesh.tets[t][c]] - mesh.points[mesh.tets[t][a]];
          longest = std::max(longest, u.norm());
          shortest = std::min(shortest, u.norm());
          const double angle = std::atan2(u.cross(v).norm(), u.dot(v)) * 180 / std::numbers::pi;
          q.least_angle = std::min(q.least_angle, angle);
        }
  }
  q.edge_ratio = longest / shortest;
  return q;
}

TetMesh crazy_block(int cells, double size, std::uint64_t seed) {
  ASSERT(cells >= 3, "a crazy block has nodes that may move");
  TetMesh mesh = tet_block(Eigen::Vector3i::Constant(cells), Vec3::Constant(size));
  const std::vector<std::vector<int>> star = stars(mesh);
  const double cell = size / cells;
  const double least = least_volume * volume(mesh) / double(mesh.tets.size());
  std::vector<Vec3> free;
  for (const Vec3& p : mesh.points) free.push_back(freedom(p, size));

  const int nodes = int(mesh.points.size());
  for (int round = 0; round < most_rounds; ++round) {
    const auto drawn = [&](int node, int number) {
      return random_unit(seed, std::uint64_t((round * nodes + node) * 4 + number));
    };
    for (int node = 0; node < nodes; ++node) {
      Vec3 move;
      for (int axis = 0; axis < 3; ++axis) move[axis] = 2 * drawn(node, axis) - 1;
      const Vec3 to = mesh.points[node] + 0.6 * cell * move.cwiseProduct(free[node]);
      if ((to.array() >= 0).all() && (to.array() <= size).all())
        try_move(mesh, star[node], node, to, least);
    }
    // Needles: an inner node goes right beside one of its neighbours, if the tets allow it.
    for (int node = 0; node < nodes; ++node) {
      if (free[node].sum() < 3 || drawn(node, 3) > 0.01) continue;
      const Tet& tet = mesh.tets[star[node][0]];
      const Vec3& other = mesh.points[tet[0] == node ? tet[1] : tet[0]];
      const Vec3 away = (mesh.points[node] - other).normalized();
      try_move(mesh, star[node], node, other + short_edge * cell * away, least);
    }
    if (round < 3) continue;
    const TetQuality q = quality(mesh);
    if (q.least_angle < least_angle && q.edge_ratio > edge_ratio) break;
  }
  return mesh;
}

}  // namespace pliant
