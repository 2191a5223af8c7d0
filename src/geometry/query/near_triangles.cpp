#include "geometry/query/near_triangles.h"

#include "core/parallel.h"

namespace pliant {

void visit_near_triangles(const TriangleMesh& mesh, const Bvh& bvh,
                          FunctionRef<bool(int i, int j)> visit) {
  parallel_for(int(mesh.triangles.size()), 64, [&](int begin, int end) {
    std::vector<int> near;
    for (int i = begin; i < end; ++i) {
      Box box;
      for (const int p : mesh.triangles[i]) box.add(mesh.points[p]);
      near.clear();
      bvh.triangles_in(box, near);
      for (const int j : near)
        if (j != i && !visit(i, j)) break;
    }
  });
}

}  // namespace pliant
