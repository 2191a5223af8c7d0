#pragma once

#include <vector>

#include "geometry/cut/walls.h"

namespace pliant::cut {

/// Volume and first moment of a solid, from its surface.
struct Moments {
  double volume = 0;          // [m^3]
  Vec3 first = Vec3::Zero();  // [m^4] volume times centre, from where `add_loop` was told

  /// Adds the cone over a flat loop from `apex`; sign -1 = seen from the other side.
  void add_loop(const std::vector<Vec3>& points, std::span<const int> loop, const Vec3& apex,
                double sign);
  void add(const Moments& other) {
    volume += other.volume;
    first += other.first;
  }
};

/// The connected parts of the solid in the cells of a grid.
struct Pieces {
  std::vector<int> of_patch;                // the piece each patch bounds
  std::vector<std::array<int, 2>> of_wall;  // below and above each wall
  std::vector<CutGrid::Place> cell;         // per piece
  std::vector<Moments> moments;             // per piece, about the centre of its cell

  int size() const { return int(cell.size()); }
};

/// Patches and walls of a cell that share an edge bound one piece. A shell that hangs free in a
/// cell and faces inwards is a hole in the piece around it.
Pieces find_pieces(const Sliced& sliced, const Walls& walls, const CutGrid& grid);

}  // namespace pliant::cut
