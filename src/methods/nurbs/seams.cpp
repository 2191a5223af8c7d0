#include "methods/nurbs/seams.h"

#include <algorithm>
#include <map>

#include "methods/nurbs/spread.h"

namespace pliant::nurbs {
namespace {

// Of the diagonal: patches nearer than this belong together, whatever gap the file left.
constexpr double reach_share = 5e-3;
// Of the diagonal: longest edge of the borders that are stitched.
constexpr double edge_share = 0.03;

struct Nearest {
  double distance = 1e300;
  int edge = 0;
  double along = 0;
};

}  // namespace

Border find_border(const Tessellation& surface) {
  std::map<std::array<int, 2>, int> sides;
  for (const Triangle& t : surface.mesh.triangles)
    for (int e = 0; e < 3; ++e) {
      const auto [a, b] = std::minmax(t[e], t[(e + 1) % 3]);
      ++sides[{a, b}];
    }
  Border border;
  border.length.assign(surface.mesh.points.size(), 0);
  for (const auto& [edge, count] : sides) {
    if (count != 1) continue;
    border.edge.push_back(edge);
    const double half = 0.5 * (surface.mesh.points[edge[0]] - surface.mesh.points[edge[1]]).norm();
    border.length[edge[0]] += half;
    border.length[edge[1]] += half;
  }
  return border;
}

std::vector<ErrorRow> stitch_seams(const Net& net, const std::vector<Sample>& samples,
                                   const Fitter& fitter, int nodes, double stiffness) {
  std::vector<ErrorRow> rows;
  const double diagonal = bounds(net.point).extent().norm();
  const Tessellation surface = tessellate(net.patches, edge_share * diagonal, 1e-3 * diagonal);
  const std::vector<Vec3>& x = surface.mesh.points;
  const Border border = find_border(surface);
  if (border.edge.empty()) return rows;
  std::vector<Vec3> middles;
  double longest = 0;
  for (const auto& [a, b] : border.edge) {
    middles.push_back(0.5 * (x[a] + x[b]));
    longest = std::max(longest, (x[a] - x[b]).norm());
  }
  const double reach = reach_share * diagonal;
  const Neighbours near(middles, edge_share * diagonal);
  Fitter::Fit fit(fitter);
  Spread spread(nodes);
  std::vector<int> found;
  for (int i = 0; i < int(x.size()); ++i) {
    if (!(border.length[i] > 0)) continue;
    std::map<int, Nearest> other;  // by patch
    near.within(x[i], 0.5 * longest + reach, found);
    for (const int e : found) {
      const auto [a, b] = border.edge[e];
      const int patch = surface.vertices[a].patch;
      if (patch == surface.vertices[i].patch) continue;
      const Vec3 way = x[b] - x[a];
      const double along =
          std::clamp((x[i] - x[a]).dot(way) / std::max(1e-300, way.squaredNorm()), 0.0, 1.0);
      const double distance = (x[a] + along * way - x[i]).norm();
      if (distance < reach && distance < other[patch].distance) other[patch] = {distance, e, along};
    }
    for (const auto& [patch, nearest] : other) {
      if (!(nearest.distance < reach)) continue;
      const auto [a, b] = border.edge[nearest.edge];
      // A point of the face, not of the chord between a and b: chords are shorter than what bends,
      // and holding on to them would keep thin walls from it.
      const Vec2 uv =
          (1 - nearest.along) * surface.vertices[a].uv + nearest.along * surface.vertices[b].uv;
      const PatchRow other_row = net.row(patch, uv);
      const Vec3 gap = x[i] - net.place(other_row);
      if (!fitter.at(x[i], false, Fitter::Wanted::gradients, fit)) continue;
      spread.clear();
      spread.add(net.row(surface.vertices[i].patch, surface.vertices[i].uv), 1);
      spread.add(other_row, -1);
      // The gap as the solid deforms it, so that affine motion costs nothing.
      for (std::size_t s = 0; s < fit.sample.size(); ++s)
        spread.add(samples[fit.sample[s]].row, -fit.gradient[s].dot(gap));
      ErrorRow row;
      row.weight = 0.5 * stiffness * border.length[i];
      row.place = x[i];
      spread.take(row.node, row.coefficient);
      double largest = 0;
      for (const double c : row.coefficient) largest = std::max(largest, std::abs(c));
      if (largest > 1e-9) rows.push_back(std::move(row));  // else they are welded already
    }
  }
  return rows;
}

}  // namespace pliant::nurbs
