#pragma once

#include <vector>

#include "geometry/mesh/tet_mesh.h"
#include "geometry/mesh/triangle_mesh.h"
#include "math/weights.h"

namespace pliant {

/// A surface filled with boxes of one size, nearly cubes, each split into five tets (five_tets.h);
/// neighbours mirror each other, so that the tets fit together. Every point of the surface lies in
/// a kept cell.
struct CellGrid {
  Vec3 cell = Vec3::Zero();  // [m] edge lengths
  Vec3 origin = Vec3::Zero();
  TetMesh tets;                        // points and tets; tets of one cell follow each other
  std::vector<Eigen::Vector3i> cells;  // kept cells; cell c owns tets 5c .. 5c+4
  std::vector<double> fill;  // per tet: share of its volume inside the surface, 0 < fill <= 1
  Weights skin;              // the surface's points as weighted sums of tets.points
};

/// Edge length that fills the surface with about `count` cells' worth of volume, but at least 3 and
/// at most 200 cells along its longest side. Open and inverted surfaces count with the volume of
/// their bounding box.
double cell_size_for(const TriangleMesh& surface, int count);

/// Keeps the cells that the surface passes through and those inside it. The surface may have holes
/// and may face inwards. The surface's extent is divided into a whole number of cells of about
/// `cell` along each axis, so that flat ends fill their cells. If the surface is closed and
/// does not overlap itself, the filled volume is the surface's volume. Points that no triangle uses
/// hang on the nearest node. Throws InputError (no file, no path) when the surface has no volume or
/// would need more than `most` cells.
CellGrid fill_with_cells(const TriangleMesh& surface, double cell, int most = 2'000'000);

}  // namespace pliant
