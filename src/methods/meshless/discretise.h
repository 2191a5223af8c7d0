#pragma once

#include "geometry/mesh/triangle_mesh.h"
#include "methods/meshless/mls.h"
#include "methods/shared/galerkin/points.h"

namespace pliant::meshless {

/// Particles and quadrature points of a solid.
struct Discretisation {
  std::vector<Vec3> particles;  // [m]
  galerkin::Points points;      // without materials and spreads
  Vec3 cell = Vec3::Zero();     // [m] of the background grid
  double enclosed = 0;          // [m^3] volume of the surface, 0 when it is not closed
  int cells = 0, cut_cells = 0;
};

/// Edge length of background cells that gives about `count` particles.
double spacing_for(const TriangleMesh& surface, int count);

/// A background grid that fits the surface's extent along each axis; particles on its nodes, inside
/// or near the surface; eight Gauss points per cell, in cells that the surface cuts one per octant
/// with the volume inside. Volumes sum to that of the surface when it is closed. Throws InputError
/// when the surface has no volume.
Discretisation discretise(const TriangleMesh& surface, double spacing, const Support& support);

/// Adds the shape functions of all places to `points`, in parallel.
void add_functions(const Neighbours& particles, const std::vector<Vec3>& places,
                   const Support& support, galerkin::Points& points);

/// Fills points.spread with the paper's rule for rotations: the best fit of all neighbours, each by
/// its volume, about the point (Brunet et al. 2019, eq. 11).
void add_spreads(const std::vector<Vec3>& particles, galerkin::Points& points);

}  // namespace pliant::meshless
