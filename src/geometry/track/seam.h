#pragma once

#include <span>
#include <vector>

#include "geometry/cut/rows.h"
#include "geometry/cut/slice.h"
#include "geometry/track/cell_set.h"

namespace pliant::track {

/// A surface cut along the border of some cells: where a new surface inside them can be sewn to
/// what is outside. Patches and their points are in cells of the lattice, see cut::Sliced.
class Seam {
 public:
  Seam(const std::vector<Triangle>& triangles, const Lattice& lattice, CellSet& cells);

  /// Lets the cells grow until on each of their outer faces the surface forms simple chains that
  /// agree with the lattice's nodes. False: not within so many rounds.
  bool fit(int most_rounds);
  int rounds() const { return rounds_; }

  const cut::Sliced& sliced() const { return slicer_.sliced(); }
  const CellSet& cells() const { return cells_; }
  bool is_sliced(int triangle) const { return first_patch_[triangle] >= 0; }
  /// The patches of a sliced triangle: from, to.
  std::array<int, 2> patches(int triangle) const {
    return {first_patch_[triangle], end_patch_[triangle]};
  }
  std::size_t cell_of(int patch) const { return grid_.number(sliced().cell[patch]); }
  /// Appends the points that were cut between two points of the surface, in order.
  void cut_points(int a, int b, std::vector<int>& points) const;

  /// Face 2 * axis + (1 = upper side) of a cell.
  static std::size_t face(std::size_t cell, int axis, int side) {
    return cell * 6 + std::size_t(2 * axis + side);
  }
  std::size_t neighbour(std::size_t cell, int axis, int side) const {
    return side ? cell + stride_[axis] : cell - stride_[axis];
  }
  /// The chains of points on an outer face, in the sense of the surface inside.
  std::vector<std::span<const int>> chains(std::size_t face) const;

  /// The edge of the lattice a point lies on, 3 * node + axis; false: on none.
  bool on_edge(int point, std::size_t& edge) const;
  /// Points on an edge of the lattice.
  std::span<const std::pair<std::size_t, int>> on(std::size_t edge) const;

 private:
  void slice_touched();
  bool find_chords();
  bool check_faces();
  bool face_fits(std::size_t cell, int axis, int side);
  int crossed_edges(std::size_t cell, int axis, int side) const;
  bool add_chains(std::size_t face, int crossings);
  void grow();

  struct Chord {
    std::size_t face;
    int from, to;
  };
  std::span<const Chord> chords_on(std::size_t face) const;

  const std::vector<Triangle>& triangles_;
  const Lattice& lattice_;
  CellSet& cells_;
  CutGrid grid_;
  cut::Slicer slicer_;
  std::array<std::size_t, 3> stride_;
  std::vector<int> first_patch_, end_patch_;
  int points_on_edges_ = 0;                               // sliced points looked at so far
  std::vector<std::pair<std::size_t, int>> edge_points_;  // edge, point; sorted
  std::vector<Chord> chords_;                             // sorted
  std::vector<std::size_t> chain_face_;                   // per chain, rising
  Rows chains_;
  std::vector<std::size_t> grown_;  // outer cells of faces that do not fit
  int rounds_ = 0;
};

}  // namespace pliant::track
