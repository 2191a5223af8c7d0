#pragma once

#include <string>
#include <vector>

#include "geometry/cut/cut_grid.h"
#include "geometry/cut/rows.h"

namespace pliant {

/// Why a surface is no boundary of a solid that could be cut.
enum class CutProblem {
  none,
  empty,        // no triangles, or none with any volume
  not_finite,   // a point is not finite
  open,         // an edge has one triangle
  crowded,      // an edge has more than two triangles, or a triangle uses a point twice
  twisted,      // neighbours face opposite ways
  crossing,     // a triangle passes through another
  overlapping,  // shells face the wrong way or lie in one another: some place is inside twice
  too_fine,     // the grid would have too many cells
};

/// A solid cut into closed polyhedral cells by a grid. The surface itself is the cells' outer
/// boundary; between them are flat walls. Nothing overlaps and nothing is missing: walls lie
/// between two cells, every edge of a cell's boundary has the cell's boundary on both sides, and
/// the volumes sum to the surface's.
struct CutCells {
  CutGrid grid;

  std::vector<Vec3> points;  // the surface's own under their indices, then cut points, then corners
  int surface_points = 0;    // how many of them are the surface's own
  int first_corner = 0;      // from here on they are the grid's corners inside

  Rows patches;                     // parts of triangles as loops of points, outside to the right
  std::vector<int> patch_triangle;  // whose part
  std::vector<int> patch_cell;      // whose boundary

  struct Wall {
    int below, above;  // cells, along the axis
    int axis;
    int first_loop, last_loop;  // in `loops`: the outer one, then holes
    double area;                // [m^2]
  };
  std::vector<Wall> walls;
  Rows loops;  // points, inside to the left seen from above along the axis

  struct Cell {
    CutGrid::Place place;  // where in the grid; of merged cells, the largest's
    double volume;         // [m^3]
    Vec3 centre;           // of volume
  };
  std::vector<Cell> cells;
  /// Per cell, rising: all corners of the triangles it has a part of, and the corners of the grid
  /// that it shares with a neighbour. Cut points lie on the edges of those triangles, so what is
  /// cut by a wall is known to the cells on both sides of it without them.
  Rows particles;

  int merged = 0;  // slivers that became part of a neighbour
};

struct CutSettings {
  double sliver = 0.02;    // smaller cells join a neighbour [volume of a whole cell]
  double thinness = 1e-2;  // so do flatter ones: least to greatest extent of their points
  int most_cells = 2'000'000;
  /// Cuts surfaces that pass through themselves too, as long as no node of the grid lies inside
  /// twice. Cells are closed and volumes sum all the same, but where the surface overlaps itself
  /// cells do too.
  bool allow_crossing = false;
};

struct CutResult {
  CutCells cells;  // empty when there is a problem
  CutProblem problem = CutProblem::none;
  std::string reason;  // a clause about the surface: "is open: 12 edges have one triangle only"

  bool fine() const { return problem == CutProblem::none; }
};

/// Cuts a closed surface whose triangles face outwards; shells inside it that face inwards are
/// holes. Works for every position of the grid, special ones included.
CutResult cut_into_cells(const TriangleMesh& surface, const CutGrid& grid,
                         const CutSettings& settings = {});

/// The same by planes that keep clear of the surface's points (cut_grid_between).
CutResult cut_into_cells(const TriangleMesh& surface, double cell,
                         const CutSettings& settings = {});

/// Cuts into about `count` cells: finds the cell size by cutting up to five times.
CutResult cut_into_about(const TriangleMesh& surface, int count, const CutSettings& settings = {});

}  // namespace pliant
