#include "contact/colliders/heightfield.h"

#include <algorithm>
#include <cmath>
#include <limits>

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

constexpr double endless = std::numeric_limits<double>::infinity();

/// From one number to another: a part of a way in shares of it, or of an axis.
struct Part {
  double begin, end;

  bool is_finite() const { return begin > -endless && end < endless; }
  /// Of this part of a way, what lies between two values of a coordinate, and a hair more.
  Part between(double from, double step, const Part& values) const {
    if (step == 0) return *this;
    const auto [first, last] =
        std::minmax({(values.begin - from) / step, (values.end - from) / step});
    return {std::max(begin, first - 1e-9), std::min(end, last + 1e-9)};
  }
  /// The values of a coordinate on it.
  Part of(double from, double step) const {
    const auto [low, high] = std::minmax({from + begin * step, from + end * step});
    return {low, high};
  }
};

/// Beyond the rim a field goes on level: all cells of a row or column there, between these x and z,
/// are one plane. Whoever is above it and ends below goes in.
void enter_plane(const Heightfield& field, const Vec3& from, const Vec3& step, const Part& part,
                 const Part& x, const Part& z, Heightfield::Entry& entry) {
  if (!(part.begin <= part.end)) return;
  const Vec3 middle = from + 0.5 * (part.begin + part.end) * step;
  const Heightfield::Hit plane = field.below(
      {std::clamp(middle.x(), x.begin, x.end), middle.y(), std::clamp(middle.z(), z.begin, z.end)});
  const auto gap = [&](double t) { return plane.face.dot(from + t * step - plane.point); };
  const double before = std::max(0.0, gap(part.begin)), after = gap(part.end);
  if (!(after < 0)) return;
  const double at = part.begin + before / (before - after) * (part.end - part.begin);
  if (at < entry.at) entry = {at, plane.face};
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
  const auto [low, high] = std::minmax_element(heights_.begin(), heights_.end());
  lowest_ = *low;
  highest_ = *high;
  for (int r = 0; r + 1 < rows_; ++r)
    for (int c = 0; c + 1 < columns_; ++c)
      triangles(c, r, [&](const Vec3& p, const Vec3& q, const Vec3& s) {
        least_cosine_ = std::min(least_cosine_, (q - p).cross(s - p).normalized().y());
      });
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
    const auto [least, most] =
        std::minmax({low.y(), high.y(), corner(c, r + 1).y(), corner(c + 1, r).y()});
    const double off_x = std::max({0.0, low.x() - p.x(), p.x() - high.x()});
    const double off_y = std::max({0.0, least - p.y(), p.y() - most});
    const double off_z = std::max({0.0, low.z() - p.z(), p.z() - high.z()});
    if (off_x * off_x + off_y * off_y + off_z * off_z > best.squared_distance) return;
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

void Heightfield::enter_cell(const Vec3& from, const Vec3& step, int column, int row,
                             Entry& entry) const {
  triangles(column, row, [&](const Vec3& a, const Vec3& b, const Vec3& c) {
    const double at = cross_triangle(a, b, c, from, step, true);
    if (at < entry.at) entry = {at, (b - a).cross(c - a).normalized()};
  });
}

std::optional<Heightfield::Entry> Heightfield::enter(const Vec3& from, const Vec3& to) const {
  if (std::min(from.y(), to.y()) > highest_) return std::nullopt;
  if (from.y() < below(from).point.y()) return std::nullopt;  // starts inside
  const Vec3 step = to - from;
  Entry entry{.at = 2};
  // Whoever starts above it goes in at a height that it has.
  const Part way = Part{0, 1}.between(from.y(), step.y(), {lowest_, highest_});
  const Part over_z = way.of(from.z(), step.z());
  const int last_row = std::clamp(row_of(over_z.end), -1, rows_ - 1);
  for (int r = std::clamp(row_of(over_z.begin), -1, rows_ - 1); r <= last_row; ++r) {
    const Part z{r < 0 ? -endless : corner(0, r).z(),
                 r + 1 < rows_ ? corner(0, r + 1).z() : endless};
    const Part over = way.between(from.z(), step.z(), z);
    const Part over_x = over.of(from.x(), step.x());
    const int last_column = std::clamp(column_of(over_x.end), -1, columns_ - 1);
    for (int c = std::clamp(column_of(over_x.begin), -1, columns_ - 1); c <= last_column; ++c) {
      const Part x{c < 0 ? -endless : corner(c, 0).x(),
                   c + 1 < columns_ ? corner(c + 1, 0).x() : endless};
      if (x.is_finite() && z.is_finite()) enter_cell(from, step, c, r, entry);
      else enter_plane(*this, from, step, over.between(from.x(), step.x(), x), x, z, entry);
    }
  }
  if (entry.at > 1) return std::nullopt;
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
