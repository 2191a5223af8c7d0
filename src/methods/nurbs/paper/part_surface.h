#pragma once

#include <memory>

#include "geometry/nurbs/patch.h"
#include "geometry/query/bvh.h"

namespace pliant::nurbs::paper {

/// The faces as triangles, for questions about each and about all.
struct PartSurface {
  explicit PartSurface(const std::vector<NurbsPatch>& patches);

  /// What a ray meets first further away than `slack`.
  struct Hit {
    double distance = 0;  // [m]; infinite: nothing
    int part = -1;
  };
  Hit first_hit(const Vec3& origin, const Vec3& direction) const;

  int parts() const { return int(face.size()); }

  double diagonal = 0;  // [m]
  /// [m] How far triangles are off the faces. Borders of neighbours are apart by that: rays that
  /// start on one must not see the other nearer than this.
  double slack = 0;
  Tessellation drawn;
  Bvh tree;                            // of all
  std::vector<TriangleMesh> face;      // per part
  std::vector<Bvh> face_tree;          // per part
  std::vector<std::vector<int>> from;  // per part: the vertex of `drawn` of each point
};

}  // namespace pliant::nurbs::paper
