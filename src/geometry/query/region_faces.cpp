#include <algorithm>
#include <cmath>
#include <numbers>

#include "geometry/mesh/sides.h"
#include "geometry/query/bvh.h"
#include "geometry/query/near_group.h"
#include "geometry/query/region.h"

namespace pliant {
namespace {

constexpr double degree = std::numbers::pi / 180;

/// Of length one, or zero for a triangle without an area.
std::vector<Vec3> normals_of(const std::vector<Vec3>& points,
                             const std::vector<Triangle>& triangles) {
  std::vector<Vec3> normals;
  for (const Triangle& t : triangles)
    normals.push_back(
        (points[t[1]] - points[t[0]]).cross(points[t[2]] - points[t[0]]).normalized());
  return normals;
}

/// Triangles that share an edge, both ways.
std::vector<std::vector<int>> neighbours_of(const std::vector<Triangle>& triangles) {
  std::vector<std::vector<int>> neighbours(triangles.size());
  for_each_edge(sorted_sides(triangles), [&](const Side* begin, const Side* end) {
    for (const Side* a = begin; a < end; ++a)
      for (const Side* b = begin; b < end; ++b)
        if (a != b) neighbours[std::size_t(a->index / 3)].push_back(b->index / 3);
  });
  return neighbours;
}

/// From the triangle nearest to a place over all edges that are no creases.
std::vector<int> face_of(const Region::Face& face, const Vec3& near,
                         const std::vector<Vec3>& points, const std::vector<Triangle>& triangles) {
  if (triangles.empty()) return {};
  TriangleMesh mesh;
  mesh.points = points;
  mesh.triangles = triangles;
  const int first = Bvh(mesh).closest_point(mesh, near).triangle;
  if (first < 0) return {};
  const std::vector<Vec3> normals = normals_of(points, triangles);
  const std::vector<std::vector<int>> neighbours = neighbours_of(triangles);
  const double least = std::cos(face.crease * degree);
  std::vector<char> is_found(triangles.size(), 0);
  std::vector<int> found = {first};
  is_found[std::size_t(first)] = 1;
  for (std::size_t i = 0; i < found.size(); ++i)
    for (const int next : neighbours[std::size_t(found[i])]) {
      const bool is_crease = normals[std::size_t(next)].dot(normals[std::size_t(found[i])]) < least;
      if (is_found[std::size_t(next)] || is_crease) continue;
      is_found[std::size_t(next)] = 1;
      found.push_back(next);
    }
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<int> facing(const Region::Facing& wanted, const Vec3& direction,
                        const std::vector<Vec3>& points, const std::vector<Triangle>& triangles) {
  const std::vector<Vec3> normals = normals_of(points, triangles);
  const double least = std::cos(wanted.within * degree);
  std::vector<int> found;
  for (int t = 0; t < int(triangles.size()); ++t)
    if (normals[std::size_t(t)].dot(direction) >= least) found.push_back(t);
  return found;
}

}  // namespace

std::vector<int> triangles_of(const Region& region, const std::vector<Vec3>& points,
                              const std::vector<Triangle>& triangles,
                              const std::vector<TriangleMesh::Group>& groups) {
  std::vector<int> found;
  if (region.group) found = triangles_of_group(*region.group, groups);
  else if (region.face)
    found = face_of(*region.face, region.frame().to_world(region.face->near), points, triangles);
  else if (region.normal)
    found =
        facing(*region.normal, region.frame().pose.rotation * region.normal->direction.normalized(),
               points, triangles);
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace pliant
