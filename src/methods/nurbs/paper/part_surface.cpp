#include "methods/nurbs/paper/part_surface.h"

#include <cmath>

#include "geometry/query/ray.h"

namespace pliant::nurbs::paper {
namespace {

// Of the diagonal: longest edge of a triangle, and its distance from the face.
constexpr double edge_share = 0.03;
constexpr double deviation_share = 1e-3;
// Cosine of the angle with the normal below which a ray runs along a face and does not meet it:
// whether it does would be up to rounding, between faces in one plane.
constexpr double grazing = 1e-6;

double diagonal_of(const std::vector<NurbsPatch>& patches) {
  Box box;
  for (const NurbsPatch& patch : patches)
    for (const Vec2& uv : patch.domain) box.add(patch.point(uv[0], uv[1]));
  return box.extent().norm();
}

}  // namespace

PartSurface::PartSurface(const std::vector<NurbsPatch>& patches)
    : diagonal(diagonal_of(patches)),
      slack(deviation_share * diagonal),
      drawn(tessellate(patches, edge_share * diagonal, slack)),
      tree(drawn.mesh) {
  face.resize(patches.size());
  from.resize(patches.size());
  std::vector<int> point(drawn.mesh.points.size(), -1);
  for (std::size_t t = 0; t < drawn.mesh.triangles.size(); ++t) {
    const int p = drawn.patch[t];
    Triangle own;
    for (int k = 0; k < 3; ++k) {
      int& number = point[drawn.mesh.triangles[t][k]];
      if (number < 0) {
        number = int(face[p].points.size());
        face[p].points.push_back(drawn.mesh.points[drawn.mesh.triangles[t][k]]);
        from[p].push_back(drawn.mesh.triangles[t][k]);
      }
      own[k] = number;
    }
    face[p].triangles.push_back(own);
  }
  for (const TriangleMesh& mesh : face) face_tree.emplace_back(mesh);
}

PartSurface::Hit PartSurface::first_hit(const Vec3& origin, const Vec3& direction) const {
  const Vec3 way = direction.normalized();
  double from_here = slack;
  for (;;) {
    const RayHit hit = first_triangle(drawn.mesh, tree, origin, way, from_here);
    if (hit.triangle < 0) return {hit.distance, -1};
    const Triangle& t = drawn.mesh.triangles[hit.triangle];
    const std::vector<Vec3>& x = drawn.mesh.points;
    const Vec3 normal = (x[t[1]] - x[t[0]]).cross(x[t[2]] - x[t[0]]).normalized();
    if (std::abs(normal.dot(way)) > grazing) return {hit.distance, drawn.patch[hit.triangle]};
    from_here = hit.distance;
  }
}

}  // namespace pliant::nurbs::paper
