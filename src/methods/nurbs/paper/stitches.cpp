#include "methods/nurbs/paper/stitches.h"

#include <algorithm>
#include <cmath>

#include "methods/nurbs/seams.h"

namespace pliant::nurbs::paper {
namespace {

// Of the diagonal: parts nearer than this belong together, whatever gap the file left. Four times
// as much holds thin walls to each other.
constexpr double reach_share = 5e-3;
// Stiffness in Young's moduli times the border's length.
constexpr double stiffness = 10;

}  // namespace

std::vector<ErrorRow> stitch(const Net& net, const PartSurface& surface,
                             const Projection& projection) {
  std::vector<ErrorRow> rows;
  const Border border = find_border(surface.drawn);
  Spread sum(int(net.point.size()));
  const double reach = reach_share * surface.diagonal;
  const auto row_of = [&](int vertex) {
    const Tessellation::Vertex& v = surface.drawn.vertices[vertex];
    return net.row(v.patch, v.uv);
  };
  for (int i = 0; i < int(border.length.size()); ++i) {
    if (!(border.length[i] > 0)) continue;
    const Vec3& place = surface.drawn.mesh.points[i];
    for (int part = 0; part < surface.parts(); ++part) {
      if (part == surface.drawn.vertices[i].patch) continue;
      const SurfacePoint near =
          surface.face_tree[part].closest_point(surface.face[part], place, reach);
      if (near.triangle < 0) continue;
      sum.clear();
      sum.add(row_of(i), 1);
      for (int k = 0; k < 3; ++k)
        sum.add(row_of(surface.from[part][surface.face[part].triangles[near.triangle][k]]),
                -near.share[k]);
      projection.add_vector(part, place - near.point, -1, sum);
      ErrorRow row;
      row.weight = stiffness * 0.5 * border.length[i];
      row.place = place;
      sum.take(row.node, row.coefficient);
      double largest = 0;
      for (const double c : row.coefficient) largest = std::max(largest, std::abs(c));
      if (largest > 1e-9) rows.push_back(std::move(row));  // else they are welded already
    }
  }
  return rows;
}

}  // namespace pliant::nurbs::paper
