#include "geometry/cut/slice.h"

#include "core/assert.h"

namespace pliant::cut {

// A part of a triangle: three corners and at most two more per axis.
struct Slicer::Polygon {
  std::array<int, 10> corner;
  int count = 0;

  void add(int point) { corner[count++] = point; }
};

Slicer::Slicer(const std::vector<Vec3>& points, const CutGrid& grid) : grid_(grid) {
  out_.points = points;
  out_.at.reserve(points.size());
  for (const Vec3& p : points)
    out_.at.push_back({grid.slab(0, p[0]), grid.slab(1, p[1]), grid.slab(2, p[2])});
  out_.on.assign(points.size(), 0);
}

void Slicer::add(int triangle, const Triangle& corners) {
  triangle_ = triangle;
  Polygon polygon;
  for (const int corner : corners) polygon.add(corner);
  cut(polygon, 0);
}

// Cuts by the planes of one axis, from below, and hands each part on to the next axis.
void Slicer::cut(Polygon rest, int axis) {
  if (axis == 3) {
    out_.patches.add({rest.corner.data(), std::size_t(rest.count)});
    out_.triangle.push_back(triangle_);
    out_.cell.push_back(cell_);
    return;
  }
  int low = out_.at[rest.corner[0]][axis], high = low;
  for (int i = 1; i < rest.count; ++i) {
    low = std::min(low, out_.at[rest.corner[i]][axis]);
    high = std::max(high, out_.at[rest.corner[i]][axis]);
  }
  for (int k = low + 1; k <= high; ++k) {
    Polygon below, above;
    split(rest, axis, k, below, above);
    cell_[axis] = k - 1;
    cut(below, axis + 1);
    rest = above;
  }
  cell_[axis] = high;
  cut(rest, axis + 1);
}

void Slicer::split(const Polygon& polygon, int axis, int k, Polygon& below, Polygon& above) {
  int from = polygon.corner[polygon.count - 1];
  bool from_below = out_.at[from][axis] < k;
  int crossings = 0;
  for (int i = 0; i < polygon.count; ++i) {
    const int to = polygon.corner[i];
    const bool to_below = out_.at[to][axis] < k;
    if (from_below != to_below) {
      const int point = cut_point(std::min(from, to), std::max(from, to), axis, k);
      below.add(point);
      above.add(point);
      ++crossings;
    }
    (to_below ? below : above).add(to);
    from = to;
    from_below = to_below;
  }
  ASSERT(crossings == 2, "a plane enters and leaves a convex polygon once");
}

// Where plane k cuts the edge from a to b, a < b. An edge is cut once: its halves are new edges.
int Slicer::cut_point(int a, int b, int axis, int k) {
  int& known = cut_points_.at(a, b);
  if (known >= 0) return known;
  known = int(out_.points.size());
  const Vec3 &p = out_.points[a], &q = out_.points[b];
  const double plane = grid_.plane(axis, k);
  const double share = (plane - p[axis]) / (q[axis] - p[axis]);
  Vec3 x = (p + share * (q - p)).cwiseMax(p.cwiseMin(q)).cwiseMin(p.cwiseMax(q));
  x[axis] = plane;
  Sliced::Place at;
  char on = char(1 << axis);
  at[axis] = k;
  for (int other = 0; other < 3; ++other) {
    if (other > axis) at[other] = grid_.slab(other, x[other]);
    if (other >= axis) continue;
    // An edge that two slabs share lies in the plane between them.
    const bool in_plane =
        (out_.on[a] & out_.on[b] & 1 << other) != 0 && out_.at[a][other] == out_.at[b][other];
    at[other] = in_plane ? out_.at[a][other] : cell_[other];
    if (in_plane) on = char(on | 1 << other);
  }
  const int number = known;
  out_.points.push_back(x);
  out_.at.push_back(at);
  out_.on.push_back(on);
  return number;
}

Sliced slice(const TriangleMesh& surface, const CutGrid& grid) {
  Slicer slicer(surface.points, grid);
  for (int t = 0; t < int(surface.triangles.size()); ++t) slicer.add(t, surface.triangles[t]);
  return slicer.take();
}

}  // namespace pliant::cut
