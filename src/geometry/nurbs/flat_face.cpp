#include "geometry/nurbs/flat_face.h"

#include <map>
#include <numbers>

namespace pliant {
namespace {

constexpr int per_quarter = 8;  // chords of the domain, even

using Loop = std::vector<TrimCurve>;

Loop straight_edges(const std::vector<Vec2>& corners) {
  const KnotVector line{1, {0, 0, 1, 1}};
  Loop loop(corners.size());
  for (std::size_t i = 0; i < corners.size(); ++i) {
    loop[i].knots = line;
    loop[i].pole = {corners[i], corners[(i + 1) % corners.size()]};
    loop[i].weight = {1, 1};
  }
  return loop;
}

/// Four quarters, clockwise, since the face is outside of it.
Loop round_hole(const Vec2& centre, double radius) {
  const KnotVector arc{2, {0, 0, 0, 1, 1, 1}};
  const Vec2 way[] = {{radius, 0}, {0, -radius}, {-radius, 0}, {0, radius}};
  Loop loop(4);
  for (std::size_t q = 0; q < 4; ++q) {
    const Vec2 &from = way[q], &to = way[(q + 1) % 4];
    loop[q].knots = arc;
    loop[q].pole = {centre + from, centre + from + to, centre + to};
    loop[q].weight = {1, std::numbers::sqrt2 / 2, 1};
  }
  return loop;
}

/// The rectangle low..high of a plane, with a domain still to be filled.
NurbsPatch rectangle(const std::string& name, const Plane& plane, const Vec2& low,
                     const Vec2& high) {
  NurbsPatch patch;
  patch.name = name;
  patch.u = {1, {low.x(), low.x(), high.x(), high.x()}};
  patch.v = {1, {low.y(), low.y(), high.y(), high.y()}};
  for (const double u : {low.x(), high.x()})
    for (const double v : {low.y(), high.y()})
      patch.pole.push_back(plane.origin + u * plane.along_u + v * plane.along_v);
  patch.weight.assign(4, 1);
  patch.is_trimmed = true;
  return patch;
}

/// Corners of the domain; equal ones are one.
class Corners {
 public:
  explicit Corners(NurbsPatch& patch) : patch_(patch) {}
  int add(const Vec2& at) {
    const auto [found, is_new] = index_.try_emplace({at.x(), at.y()}, int(patch_.domain.size()));
    if (is_new) patch_.domain.push_back(at);
    return found->second;
  }

 private:
  NurbsPatch& patch_;
  std::map<std::pair<double, double>, int> index_;
};

std::array<Vec2, 4> corners_of(const Vec2& low, const Vec2& high) {
  return {low, Vec2(high.x(), low.y()), high, Vec2(low.x(), high.y())};
}

/// Triangles between hole and rectangle: each corner sees a quarter of the hole, each side the
/// point of it between two quarters. Sides stay whole, so that neighbours who halve theirs meet the
/// same points.
void fill(const Drilled& cell, const Loop& hole, Corners& corners,
          std::vector<Triangle>& triangles) {
  const std::array<Vec2, 4> corner = corners_of(cell.low, cell.high);
  constexpr int all = 4 * per_quarter;
  std::vector<int> outer, inner;
  for (const Vec2& c : corner) outer.push_back(corners.add(c));
  for (int k = 0; k < all; ++k) {  // anticlockwise from the first corner; the hole goes clockwise
    const int at = (all + 3 * per_quarter / 2 - k) % all;
    const TrimCurve& quarter = hole[std::size_t(at / per_quarter)];
    inner.push_back(corners.add(quarter.point(double(at % per_quarter) / per_quarter)));
  }
  for (int side = 0; side < 4; ++side) {
    const int middle = side * per_quarter + per_quarter / 2;
    triangles.push_back({inner[middle], outer[side], outer[(side + 1) % 4]});
  }
  for (int k = 0; k < all; ++k) {
    const int near = (k + per_quarter / 2) / per_quarter % 4;
    triangles.push_back({inner[k], outer[near], inner[(k + 1) % all]});
  }
}

}  // namespace

NurbsPatch flat_polygon(const std::string& name, const Plane& plane,
                        const std::vector<Vec2>& corners) {
  Vec2 low = corners[0], high = low;
  for (const Vec2& c : corners) low = low.cwiseMin(c), high = high.cwiseMax(c);
  NurbsPatch patch = rectangle(name, plane, low, high);
  patch.domain = corners;
  for (int k = 1; k + 1 < int(corners.size()); ++k) patch.triangles.push_back({0, k, k + 1});
  patch.trims = {straight_edges(corners)};
  return patch;
}

NurbsPatch flat_plate(const std::string& name, const Plane& plane,
                      const std::vector<Drilled>& cells) {
  Vec2 low = cells[0].low, high = cells[0].high;
  for (const Drilled& cell : cells) low = low.cwiseMin(cell.low), high = high.cwiseMax(cell.high);
  NurbsPatch patch = rectangle(name, plane, low, high);
  const std::array<Vec2, 4> border = corners_of(low, high);
  patch.trims = {straight_edges({border.begin(), border.end()})};
  Corners corners(patch);
  for (const Drilled& cell : cells) {
    patch.trims.push_back(round_hole(cell.centre, cell.radius));
    fill(cell, patch.trims.back(), corners, patch.triangles);
  }
  return patch;
}

}  // namespace pliant
