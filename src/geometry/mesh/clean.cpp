#include "geometry/mesh/clean.h"

#include <algorithm>
#include <numeric>

#include "core/assert.h"

namespace pliant {
namespace {

// Per point: the first point at the same place. Points that are not finite are equal to none.
std::vector<int> first_at_same_place(const std::vector<Vec3>& points) {
  std::vector<int> first(points.size()), order;
  std::iota(first.begin(), first.end(), 0);
  for (int p = 0; p < int(points.size()); ++p)
    if (points[p].allFinite()) order.push_back(p);
  const auto less = [&](int a, int b) {
    for (int axis = 0; axis < 3; ++axis)
      if (points[a][axis] != points[b][axis]) return points[a][axis] < points[b][axis];
    return a < b;
  };
  std::sort(order.begin(), order.end(), less);
  for (std::size_t i = 1; i < order.size(); ++i)
    if (points[order[i]] == points[order[i - 1]]) first[order[i]] = first[order[i - 1]];
  return first;
}

bool is_flat(const TriangleMesh& mesh, const Triangle& t) {
  const Vec3 ab = mesh.points[t[1]] - mesh.points[t[0]];
  const Vec3 bc = mesh.points[t[2]] - mesh.points[t[1]];
  const Vec3 ca = mesh.points[t[0]] - mesh.points[t[2]];
  // No more than rounding away from a line.
  const double longest = std::max({ab.squaredNorm(), bc.squaredNorm(), ca.squaredNorm()});
  return ab.cross(bc).norm() <= 1e-14 * longest;
}

// Per triangle: whether an earlier one has the same corners in the same sense.
std::vector<char> find_repeated(const std::vector<Triangle>& triangles) {
  const auto turned = [&](int t) {
    Triangle key = triangles[t];
    std::rotate(key.begin(), std::min_element(key.begin(), key.end()), key.end());
    return key;
  };
  std::vector<int> order(triangles.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    const Triangle key_a = turned(a), key_b = turned(b);
    return key_a != key_b ? key_a < key_b : a < b;
  });
  std::vector<char> repeated(triangles.size(), 0);
  for (std::size_t i = 1; i < order.size(); ++i)
    repeated[order[i]] = turned(order[i]) == turned(order[i - 1]);
  return repeated;
}

}  // namespace

Cleaned clean(const TriangleMesh& mesh) {
  Cleaned result;
  const int count = int(mesh.triangles.size());
  const std::vector<int> first = first_at_same_place(mesh.points);
  for (int p = 0; p < int(first.size()); ++p) result.welded += first[p] != p;

  std::vector<Triangle> welded(mesh.triangles);
  for (Triangle& t : welded) {
    for (int& p : t) {
      ASSERT(p >= 0 && p < int(first.size()), "a triangle names a point that does not exist");
      p = first[p];
    }
  }

  std::vector<char> dropped = find_repeated(welded);
  result.fate.assign(std::size_t(count), Cleaned::Fate::kept);
  for (int i = 0; i < count; ++i) {
    const Triangle& t = welded[i];
    if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) {
      ++result.collapsed;
      result.fate[i] = Cleaned::Fate::collapsed;
    } else if (is_flat(mesh, t)) {
      ++result.flat;
      result.fate[i] = Cleaned::Fate::flat;
    } else if (dropped[i]) {
      ++result.repeated;
      result.fate[i] = Cleaned::Fate::repeated;
    }
    dropped[i] = result.fate[i] != Cleaned::Fate::kept;
  }

  std::vector<int> place(mesh.points.size(), -1);  // in the new mesh
  for (int i = 0; i < count; ++i)
    if (!dropped[i])
      for (const int p : welded[i]) place[p] = 0;
  for (int p = 0; p < int(place.size()); ++p) {
    if (place[p] < 0) {
      result.unused += first[p] == p;
      continue;
    }
    place[p] = int(result.mesh.points.size());
    result.mesh.points.push_back(mesh.points[p]);
  }
  result.kept.resize(place.size());
  for (int p = 0; p < int(place.size()); ++p) result.kept[p] = place[first[p]];

  std::vector<int> new_triangle(count, -1);
  for (int i = 0; i < count; ++i) {
    if (dropped[i]) continue;
    new_triangle[i] = int(result.mesh.triangles.size());
    result.mesh.triangles.push_back(
        {place[welded[i][0]], place[welded[i][1]], place[welded[i][2]]});
  }
  for (const TriangleMesh::Group& group : mesh.groups) {
    TriangleMesh::Group& copy = result.mesh.groups.emplace_back();
    copy.name = group.name;
    for (const int t : group.triangles)
      if (new_triangle[t] >= 0) copy.triangles.push_back(new_triangle[t]);
  }
  return result;
}

}  // namespace pliant
