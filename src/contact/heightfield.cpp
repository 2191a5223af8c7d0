#include "contact/heightfield.h"

#include <algorithm>
#include <cmath>

#include "core/assert.h"
#include "geometry/query/bvh.h"
#include "geometry/query/segments.h"

namespace pliant {
namespace {

/// Cells further out than this are as good as the last one: keeps numbers of cells in an int.
constexpr double furthest_cell = 1e8;

int cell_number(double place) {
  return int(std::floor(std::clamp(place, -furthest_cell, furthest_cell)));
}

}  // namespace

Heightfield::Heightfield(int columns, std::vector<double> heights, const Vec2& size)
    : columns_(columns),
      rows_(int(heights.size()) / columns),
      heights_(std::move(heights)),
      size_(size) {
  ASSERT(columns_ >= 2 && rows_ >= 2, "a heightfield has a cell");
  ASSERT(int(heights_.size()) == columns_ * rows_, "rows of a heightfield are equally long");
  cell_ = {size.x() / (columns_ - 1), size.y() / (rows_ - 1)};
  highest_ = *std::max_element(heights_.begin(), heights_.end());
}

int Heightfield::column_of(double x) const {
  return cell_number((x + 0.5 * size_.x()) / cell_.x());
}
int Heightfield::row_of(double z) const { return cell_number((z + 0.5 * size_.y()) / cell_.y()); }

Vec3 Heightfield::corner(int column, int row) const {
  const int c = std::clamp(column, 0, columns_ - 1), r = std::clamp(row, 0, rows_ - 1);
  return {column * cell_.x() - 0.5 * size_.x(), heights_[std::size_t(r) * columns_ + c],
          row * cell_.y() - 0.5 * size_.y()};
}

/// Both triangles of a cell, anticlockwise seen from above.
template <class Visit>
void Heightfield::triangles(int column, int row, const Visit& visit) const {
  const Vec3 a = corner(column, row), b = corner(column + 1, row);
  const Vec3 c = corner(column + 1, row + 1), d = corner(column, row + 1);
  visit(a, c, b);
  visit(a, d, c);
}

Heightfield::Hit Heightfield::below(const Vec3& p) const {
  const int column = column_of(p.x()), row = row_of(p.z());
  const double x = (p.x() + 0.5 * size_.x()) / cell_.x() - column;
  const double z = (p.z() + 0.5 * size_.y()) / cell_.y() - row;
  Hit hit;
  int which = 0;
  triangles(column, row, [&](const Vec3& a, const Vec3& b, const Vec3& c) {
    const bool mine = which++ == (x >= z ? 0 : 1);
    if (!mine) return;
    hit.face = (b - a).cross(c - a).normalized();
    const double y =
        a.y() - (hit.face.x() * (p.x() - a.x()) + hit.face.z() * (p.z() - a.z())) / hit.face.y();
    hit.point = {p.x(), y, p.z()};
    hit.squared_distance = (p.y() - y) * (p.y() - y);
  });
  return hit;
}

std::optional<Heightfield::Hit> Heightfield::closest(const Vec3& p, double reach) const {
  Hit best = below(p);  // nothing further away than this matters
  bool found = best.squared_distance <= reach * reach;
  if (!found) best.squared_distance = reach * reach;
  const auto visit = [&](int c, int r) {
    const Vec3 low = corner(c, r), high = corner(c + 1, r + 1);
    const double off_x = std::max({0.0, low.x() - p.x(), p.x() - high.x()});
    const double off_z = std::max({0.0, low.z() - p.z(), p.z() - high.z()});
    if (off_x * off_x + off_z * off_z > best.squared_distance) return;
    triangles(c, r, [&](const Vec3& a, const Vec3& b, const Vec3& d) {
      const SurfacePoint at = closest_on_triangle(p, a, b, d);
      const double squared = at.distance * at.distance;
      if (squared >= best.squared_distance) return;
      found = true;
      best = {at.point, (b - a).cross(d - a).normalized(), squared};
    });
  };
  const int column = column_of(p.x()), row = row_of(p.z());
  visit(column, row);
  for (int r = row - 1; r <= row + 1; ++r)
    for (int c = column - 1; c <= column + 1; ++c)
      if (r != row || c != column) visit(c, r);

  // Then the rest, row by row. Beyond the rim, where it goes on level, only the rows and columns
  // next to the rim and next to the point can have what is nearest.
  const auto each_near = [](int from, int to, int here, int count, const auto& work) {
    const int first = std::max(from, -1), last = std::min(to, count - 1);
    for (int k = std::max(from, here - 1); k <= std::min(to, here + 1); ++k)
      if (k < first || k > last) work(k);
    for (int k = first; k <= last; ++k) work(k);
  };
  const double far = std::sqrt(best.squared_distance);
  if (p.y() - far < highest_)
    each_near(row_of(p.z() - far), row_of(p.z() + far), row, rows_, [&](int r) {
      const double off = std::max({0.0, corner(0, r).z() - p.z(), p.z() - corner(0, r + 1).z()});
      if (off * off > best.squared_distance) return;
      const double wide = std::sqrt(best.squared_distance - off * off);
      each_near(column_of(p.x() - wide), column_of(p.x() + wide), column, columns_,
                [&](int c) { visit(c, r); });
    });
  if (!found) return std::nullopt;
  return best;
}

std::optional<Heightfield::Entry> Heightfield::enter(const Vec3& from, const Vec3& to) const {
  if (from.y() < below(from).point.y()) return std::nullopt;  // starts inside
  const Vec3 step = to - from;
  double first = 2;
  Entry entry;
  const auto [z0, z1] = std::minmax(from.z(), to.z());
  for (int r = row_of(z0); r <= row_of(z1); ++r) {
    // The part of the way that lies over this row, and a hair more.
    double begin = 0, end = 1;
    if (step.z() != 0) {
      double t0 = (corner(0, r).z() - from.z()) / step.z();
      double t1 = (corner(0, r + 1).z() - from.z()) / step.z();
      if (t0 > t1) std::swap(t0, t1);
      begin = std::max(begin, t0 - 1e-9);
      end = std::min(end, t1 + 1e-9);
    }
    const double xa = from.x() + begin * step.x(), xb = from.x() + end * step.x();
    for (int c = column_of(std::min(xa, xb)); c <= column_of(std::max(xa, xb)); ++c)
      triangles(c, r, [&](const Vec3& a, const Vec3& b, const Vec3& d) {
        const double at = cross_triangle(a, b, d, from, step, true);
        if (at >= first) return;
        first = at;
        entry = {at, (b - a).cross(d - a).normalized()};
      });
  }
  if (first > 1) return std::nullopt;
  return entry;
}

TriangleMesh Heightfield::surface() const {
  TriangleMesh mesh;
  for (int r = 0; r < rows_; ++r)
    for (int c = 0; c < columns_; ++c) mesh.points.push_back(corner(c, r));
  for (int r = 0; r + 1 < rows_; ++r)
    for (int c = 0; c + 1 < columns_; ++c) {
      const int a = r * columns_ + c, b = a + 1, d = a + columns_, e = d + 1;
      mesh.triangles.push_back({a, e, b});
      mesh.triangles.push_back({a, d, e});
    }
  return mesh;
}

}  // namespace pliant
