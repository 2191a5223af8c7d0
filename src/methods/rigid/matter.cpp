#include "methods/rigid/matter.h"

#include <algorithm>

#include "core/errors.h"
#include "geometry/mesh/clean.h"
#include "geometry/mesh/moments.h"
#include "geometry/mesh/topology.h"
#include "geometry/sample/cell_grid.h"
#include "math/principal_axes.h"

namespace pliant::rigid {
namespace {

constexpr int cells_inside = 8000;  // of surfaces that have to be filled

/// Thinner bodies than this share of their length turn as if they were this thick: so that the four
/// masses never lie in one plane.
constexpr double thinnest = 1e-5;

constexpr double corner[4][3] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};

struct Sums {
  Moments matter;  // weighted by density
  double volume = 0;

  void add(const Moments& part, double density) {
    matter.add(part, density);
    volume += part.mass;
  }
};

std::array<Vec3, 4> corners_of(const TetMesh& mesh, const Tet& tet, const Vec3& origin) {
  return {mesh.points[tet[0]] - origin, mesh.points[tet[1]] - origin, mesh.points[tet[2]] - origin,
          mesh.points[tet[3]] - origin};
}

/// `fill`: per tet, or empty.
Sums sum_tets(const Solid& solid, const TetMesh& mesh, const std::vector<double>& fill,
              const Vec3& origin) {
  Sums sums;
  for (std::size_t t = 0; t < mesh.tets.size(); ++t) {
    Moments part = moments(corners_of(mesh, mesh.tets[t], origin));
    const double density = *solid.material_at(part.centre() + origin).density;
    if (!fill.empty()) {
      Moments filled;
      filled.add(part, fill[t]);
      part = filled;
    }
    sums.add(part, density);
  }
  return sums;
}

bool has_one_density(const Solid& solid) {
  return std::all_of(solid.parts.begin(), solid.parts.end(), [&](const Solid::Part& part) {
    return *part.material.density == *solid.material.density;
  });
}

Sums sum_solid(const Solid& solid, const Vec3& origin, std::vector<std::string>& warnings) {
  if (solid.tets) return sum_tets(solid, *solid.tets, {}, origin);
  const TriangleMesh welded = clean(solid.surface).mesh;
  const Topology shape = topology(welded);
  if (shape.closed && shape.oriented() && has_one_density(solid)) {
    Moments inside = moments(welded, origin);
    if (inside.mass < 0) {
      Moments turned;
      turned.add(inside, -1);
      inside = turned;
    }
    Sums sums;
    sums.add(inside, *solid.material.density);
    return sums;
  }
  if (!shape.closed || !shape.oriented())
    warnings.push_back(
        shape.closed ? "its triangles do not all face the same way; mass and inertia are those of "
                       "cells inside"
                     : "its surface is not closed; mass and inertia are those of cells inside");
  const CellGrid grid = fill_with_cells(welded, cell_size_for(welded, cells_inside));
  return sum_tets(solid, grid.tets, grid.fill, origin);
}

}  // namespace

Matter matter_of(const Solid& solid, double mass) {
  Matter found;
  const std::vector<Vec3>& points = solid.tets ? solid.tets->points : solid.surface.points;
  const Box box = bounds(points);
  const double size = box.extent().maxCoeff();
  const Sums sums = sum_solid(solid, box.centre(), found.warnings);
  if (!(sums.volume > 1e-12 * size * size * size))
    throw InputError("", "", "encloses no volume, so a rigid body made of it has no mass",
                     "give it a thickness, or close its surface");
  found.volume = sums.volume;
  found.mass = mass > 0 ? mass : sums.matter.mass;
  found.centre = sums.matter.centre() + box.centre();
  const PrincipalAxes principal = principal_axes(sums.matter.spread() / sums.matter.mass);
  found.axes = principal.directions;
  if (found.axes.determinant() < 0) found.axes.col(0) *= -1;
  const Vec3 squares = principal.values.cwiseMax(0);
  found.radius = squares.cwiseSqrt().cwiseMax(thinnest * std::sqrt(squares.maxCoeff()));
  return found;
}

std::array<Vec3, 4> equal_masses(const Vec3& radius) {
  std::array<Vec3, 4> places;
  for (int i = 0; i < 4; ++i)
    places[i] = radius.cwiseProduct(Vec3(corner[i][0], corner[i][1], corner[i][2]));
  return places;
}

std::array<double, 4> shares_of(const Vec3& p, const Vec3& radius) {
  const Vec3 q = p.cwiseQuotient(radius);
  std::array<double, 4> shares;
  for (int i = 0; i < 4; ++i)
    shares[i] = 0.25 * (1 + Vec3(corner[i][0], corner[i][1], corner[i][2]).dot(q));
  return shares;
}

TriangleMesh surface_of(const Solid& solid) {
  if (solid.tets) return boundary_surface(*solid.tets);
  TriangleMesh surface = solid.surface;
  const TriangleMesh welded = clean(surface).mesh;
  if (is_closed(welded) && is_oriented(welded) && volume(welded) < 0)
    for (Triangle& t : surface.triangles) std::swap(t[1], t[2]);
  return surface;
}

}  // namespace pliant::rigid
