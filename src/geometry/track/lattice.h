#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "geometry/mesh/triangle_mesh.h"

namespace pliant::track {

/// Nodes of a cubic lattice about a closed surface, and how often it winds round each: exact whole
/// numbers, found by counting where the surface crosses the lattice's lines.
///
/// Coordinates of points are rounded to 2^-20 cells and lines pass half a unit beside them, so that
/// no line meets a vertex; which side of an edge a line passes is decided by the edge's ends in the
/// order of their numbers, so that its two triangles never disagree. Therefore rows of a closed
/// surface always sum to zero, whatever its triangles are like.
class Lattice {
 public:
  using Node = std::array<int, 3>;

  /// Where the surface crosses a line, and in which sense.
  struct Crossing {
    double at;     // along the line, in cells
    int triangle;  //
    int turn;      // +1: enters what it encloses, going up; -1: leaves
  };

  // Of `inside`: what seeds have made inside was a gap until now.
  static constexpr std::uint8_t outside = 0, held = 1, bridged = 2;

  double cell = 1;                   // [m]
  Vec3 shift = Vec3::Zero();         // of the nodes, in cells
  Node low = {}, count = {};         // first node, and nodes per axis
  std::vector<std::int8_t> winding;  // per node
  std::vector<std::uint8_t> inside;  // per node: above; from winding > 0, and from seeds
  // Per node: the piece that holds it, -1 = none. Empty: sole_piece holds all that is inside.
  std::vector<int> piece;
  int sole_piece = 0;
  std::vector<std::uint8_t> crossed;  // per node: bit a = the surface crosses the edge up axis a

  /// Lays a lattice about the triangles and rounds all points. False, and no nodes, when the points
  /// are not finite or no lattice of `most_nodes` holds them, or a triangle spans more than a
  /// thousand cells.
  bool lay(const std::vector<Vec3>& points, const std::vector<Triangle>& triangles, double cell,
           const Vec3& shift, std::size_t most_nodes = std::size_t(1) << 27);
  /// Finds the crossings of all lines and from them `winding` and `inside`.
  void scan(const std::vector<Triangle>& triangles);
  /// Fills `crossed` from the crossings.
  void mark_crossed();

  std::size_t nodes() const { return std::size_t(count[0]) * count[1] * count[2]; }
  std::size_t number(const Node& n) const {
    return (std::size_t(n[2] - low[2]) * count[1] + (n[1] - low[1])) * count[0] + (n[0] - low[0]);
  }
  Node node(std::size_t number) const {
    return {int(number % count[0]) + low[0], int(number / count[0] % count[1]) + low[1],
            int(number / count[0] / count[1]) + low[2]};
  }
  bool has(const Node& n) const {
    for (int a = 0; a < 3; ++a)
      if (n[a] < low[a] || n[a] >= low[a] + count[a]) return false;
    return true;
  }
  /// In cells, from [m] and back.
  Vec3 to_cells(const Vec3& p) const { return p / cell + shift; }
  Vec3 to_space(const Vec3& q) const { return (q - shift) * cell; }
  Node nearest(const Vec3& p) const;
  int piece_at(std::size_t node) const {
    if (!piece.empty()) return piece[node];
    return inside[node] ? sole_piece : -1;
  }

  /// Points as rounded, in cells.
  const std::vector<Vec3>& places() const { return places_; }

  /// The lines along an axis, counted by the other two; their crossings rise.
  std::size_t lines(int axis) const { return start_[axis].empty() ? 0 : start_[axis].size() - 1; }
  std::span<const Crossing> line(int axis, std::size_t line) const {
    return {crossings_[axis].data() + start_[axis][line],
            crossings_[axis].data() + start_[axis][line + 1]};
  }
  /// The first node of a line.
  Node line_begin(int axis, std::size_t line) const;

 private:
  using Unit = std::array<std::int64_t, 3>;
  bool round_points(const std::vector<Vec3>& points);
  void scan_axis(const std::vector<Triangle>& triangles, int axis);
  void wind();

  std::vector<Vec3> places_;
  std::vector<Unit> units_;  // 2^-21 cells
  std::array<std::vector<int>, 3> start_;
  std::array<std::vector<Crossing>, 3> crossings_;
};

}  // namespace pliant::track
