#pragma once

#include <vector>

#include "geometry/query/bvh.h"

namespace pliant {

/// Normals of faces, edges and vertices such that the sign of (p - closest) . normal tells inside
/// from outside for closed surfaces (Baerentzen and Aanaes 2005): face normal, mean of two faces,
/// angle-weighted mean.
class Pseudonormals {
 public:
  explicit Pseudonormals(const TriangleMesh& mesh);
  /// Unit normal for the feature (face, edge or vertex) on which `at` lies.
  Vec3 at(const TriangleMesh& mesh, const SurfacePoint& at) const;
  const Vec3& face(int triangle) const { return face_[triangle]; }

 private:
  std::vector<Vec3> face_;                 // per triangle
  std::vector<std::array<Vec3, 3>> edge_;  // per triangle: edge k joins corners k and k + 1
  std::vector<Vec3> vertex_;               // per point
};

}  // namespace pliant
