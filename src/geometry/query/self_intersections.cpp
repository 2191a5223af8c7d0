#include "geometry/query/self_intersections.h"

#include <algorithm>
#include <cmath>

#include "geometry/query/near_triangles.h"

namespace pliant {
namespace {

// Distances below this share of the triangles' size are rounding, not overlap.
constexpr double rounding = 1e-10;

struct Corners {
  std::array<Vec3, 3> at;
  Vec3 normal;  // not of unit length
  double size;
};

Corners corners_of(const TriangleMesh& mesh, int triangle) {
  const Triangle& t = mesh.triangles[triangle];
  Corners c{{mesh.points[t[0]], mesh.points[t[1]], mesh.points[t[2]]}, {}, 0};
  c.normal = (c.at[1] - c.at[0]).cross(c.at[2] - c.at[0]);
  for (int k = 0; k < 3; ++k) c.size = std::max(c.size, (c.at[k] - c.at[(k + 1) % 3]).norm());
  return c;
}

// Whether the inside of the segment passes through the inside of the triangle.
bool pierces(const Vec3& p, const Vec3& q, const Corners& t) {
  const double length = t.normal.norm();
  if (!(length > 0)) return false;
  const Vec3 unit = t.normal / length;
  const double least = rounding * std::max(t.size, (q - p).norm());
  const double below = unit.dot(p - t.at[0]), above = unit.dot(q - t.at[0]);
  if (std::abs(below) <= least || std::abs(above) <= least || (below > 0) == (above > 0))
    return false;
  const Vec3 x = p + below / (below - above) * (q - p);
  for (int k = 0; k < 3; ++k) {
    const Vec3 side = t.at[(k + 1) % 3] - t.at[k];
    if (side.cross(x - t.at[k]).dot(unit) <= least * side.norm()) return false;
  }
  return true;
}

// Of two triangles in one plane: no line along a side keeps them apart.
bool overlap_in_plane(const Corners& a, const Corners& b) {
  const Vec3 unit = a.normal.normalized();
  const double least = rounding * std::max(a.size, b.size);
  for (const Vec3& p : b.at)
    if (std::abs(unit.dot(p - a.at[0])) > least) return false;
  for (const auto& [from, other] : {std::pair(&a, &b), std::pair(&b, &a)}) {
    for (int k = 0; k < 3; ++k) {
      const Vec3 side = from->at[(k + 1) % 3] - from->at[k];
      Vec3 out = side.cross(unit).normalized();
      if (out.dot(from->at[(k + 2) % 3] - from->at[k]) > 0) out = -out;
      double nearest = std::numeric_limits<double>::infinity();
      for (const Vec3& p : other->at) nearest = std::min(nearest, out.dot(p - from->at[k]));
      if (nearest >= -least) return false;
    }
  }
  return true;
}

}  // namespace

bool triangles_overlap(const TriangleMesh& mesh, int first, int second) {
  const Corners a = corners_of(mesh, first), b = corners_of(mesh, second);
  if (!(a.normal.squaredNorm() > 0) || !(b.normal.squaredNorm() > 0)) return false;
  const Triangle &s = mesh.triangles[first], &t = mesh.triangles[second];
  const auto shared = [](int p, const Triangle& by) {
    return p == by[0] || p == by[1] || p == by[2];
  };
  // A side that starts at a shared point touches there and cannot pierce.
  for (int k = 0; k < 3; ++k) {
    const int next = (k + 1) % 3;
    if (!shared(s[k], t) && !shared(s[next], t) && pierces(a.at[k], a.at[next], b)) return true;
    if (!shared(t[k], s) && !shared(t[next], s) && pierces(b.at[k], b.at[next], a)) return true;
  }
  return overlap_in_plane(a, b);
}

SelfIntersections find_self_intersections(const TriangleMesh& mesh, const Bvh& bvh,
                                          std::int64_t most_tests) {
  const int count = int(mesh.triangles.size());
  std::vector<char> overlaps(std::size_t(count), 0);
  std::vector<std::int64_t> pairs(std::size_t(count), 0);
  // Every triangle may use the same share of the tests, so that the cut does not depend on threads.
  const std::int64_t share = std::max<std::int64_t>(1000, most_tests / std::max(count, 1));
  std::vector<std::int64_t> tests(std::size_t(count), 0);
  visit_near_triangles(mesh, bvh, [&](int i, int j) {
    if (++tests[i] > share) return false;
    if (triangles_overlap(mesh, i, j)) {
      overlaps[i] = 1;
      pairs[i] += j > i;
    }
    return true;
  });
  SelfIntersections found;
  for (int i = 0; i < count; ++i) {
    if (overlaps[i]) found.triangles.push_back(i);
    found.pairs += pairs[i];
    found.complete = found.complete && tests[i] <= share;
  }
  return found;
}

}  // namespace pliant
