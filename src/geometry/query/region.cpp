#include "geometry/query/region.h"

#include <algorithm>
#include <numeric>

#include "geometry/query/near_group.h"

namespace pliant {

bool Region::contains(const Vec3& p) const {
  if (box) return Box{box->low, box->high}.contains(p);
  if (sphere) return (p - sphere->centre).squaredNorm() <= sphere->radius * sphere->radius;
  if (half_space) return (p - half_space->point).dot(half_space->normal) >= 0;
  return is_everything();
}

void describe(Fields& fields, Region::InBox& box) {
  fields.vector("low", box.low, {.unit = "m", .help = "lowest corner, in the world"});
  fields.vector("high", box.high, {.unit = "m", .help = "highest corner"});
  fields.check((box.low.array() <= box.high.array()).all(), "high",
               "must not be lower than \"low\" in any direction");
}

void describe(Fields& fields, Region::InSphere& sphere) {
  fields.vector("centre", sphere.centre, {.unit = "m", .help = "in the world"});
  fields.number("radius", sphere.radius, {.unit = "m", .above = 0});
}

void describe(Fields& fields, Region::HalfSpace& half) {
  fields.vector("point", half.point, {.unit = "m", .help = "any point of the plane"});
  fields.vector("normal", half.normal, {.help = "points to the chosen side; any length but zero"});
  fields.check(half.normal.squaredNorm() > 0, "normal", "must point somewhere");
}

void describe(Fields& fields, Region::Nearest& nearest) {
  fields.vector("point", nearest.point, {.unit = "m", .help = "in the world"});
  fields.integer("count", nearest.count, {.at_least = 1, .help = "how many points"});
}

void describe(Fields& fields, Region& region) {
  fields.object("box", region.box, {.help = "what lies in an upright box"});
  fields.object("sphere", region.sphere, {.help = "what lies in a sphere"});
  fields.object("half_space", region.half_space, {.help = "what lies on one side of a plane"});
  fields.object("nearest", region.nearest, {.help = "the points closest to a place"});
  fields.text("group", region.group,
              {.help = "the points of a named group of the model file; CAD models have \"face_1\", "
                       "\"face_2\", ... and the names of their faces"});
  constexpr const char* members[] = {"box", "sphere", "half_space", "nearest", "group"};
  fields.at_most_one(members);
}

namespace {

std::vector<int> nearest_points(const Region::Nearest& nearest, const std::vector<Vec3>& points) {
  std::vector<int> order(points.size());
  std::iota(order.begin(), order.end(), 0);
  std::vector<double> distance2(points.size());
  for (std::size_t i = 0; i < points.size(); ++i)
    distance2[i] = (points[i] - nearest.point).squaredNorm();
  const int count = std::clamp(nearest.count, 0, int(points.size()));
  std::partial_sort(order.begin(), order.begin() + count, order.end(), [&](int a, int b) {
    return distance2[a] != distance2[b] ? distance2[a] < distance2[b] : a < b;
  });
  order.resize(count);
  std::sort(order.begin(), order.end());
  return order;
}

std::vector<int> points_of_group(const std::string& name, int points,
                                 const std::vector<Triangle>& triangles,
                                 const std::vector<TriangleMesh::Group>& groups) {
  std::vector<char> chosen(points, 0);
  for (const int t : triangles_of_group(name, groups))
    for (const int p : triangles[t]) chosen[p] = 1;
  std::vector<int> indices;
  for (int p = 0; p < points; ++p)
    if (chosen[p]) indices.push_back(p);
  return indices;
}

}  // namespace

std::vector<int> select(const Region& region, const std::vector<Vec3>& points,
                        const std::vector<Triangle>& triangles,
                        const std::vector<TriangleMesh::Group>& groups) {
  if (region.nearest) return nearest_points(*region.nearest, points);
  if (region.group) return points_of_group(*region.group, int(points.size()), triangles, groups);
  std::vector<int> indices;
  for (int p = 0; p < int(points.size()); ++p)
    if (region.contains(points[p])) indices.push_back(p);
  return indices;
}

}  // namespace pliant
