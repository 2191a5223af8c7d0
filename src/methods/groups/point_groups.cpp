#include "methods/groups/point_groups.h"

#include <algorithm>
#include <cmath>

#include "core/errors.h"
#include "geometry/query/neighbours.h"
#include "math/principal_axes.h"

namespace pliant::groups {
namespace {

double typical_spacing(const std::vector<Vec3>& points) {
  const Vec3 extent = bounds(points).extent();
  const double longest = extent.maxCoeff();
  return std::max(std::cbrt(extent.cwiseMax(0.01 * longest).prod() / double(points.size())),
                  1e-3 * longest);
}

void find_nearest(const Neighbours& near, const Vec3& p, int count, double start,
                  std::vector<int>& found) {
  const std::vector<Vec3>& points = near.points();
  const std::size_t wanted = std::min(points.size(), std::size_t(count) + 1);
  double radius = start;
  while (near.within(p, radius, found), found.size() < wanted) radius *= 1.5;
  std::vector<double> distance;
  for (const int q : found) distance.push_back((points[q] - p).norm());
  std::nth_element(distance.begin(), distance.begin() + std::ptrdiff_t(wanted) - 1, distance.end());
  const double last = distance[wanted - 1] * (1 + 1e-6);
  std::erase_if(found, [&](int q) { return (points[q] - p).norm() > last; });
}

}  // namespace

Groups point_groups(const std::vector<Vec3>& points, const std::vector<int>& material,
                    const Neighbourhood& neighbourhood) {
  const double bin = neighbourhood.nearest ? typical_spacing(points) : neighbourhood.radius;
  const Neighbours near(points, bin);
  Groups groups;
  groups.rest = points;
  std::vector<int> found;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (neighbourhood.nearest) find_nearest(near, points[i], *neighbourhood.nearest, bin, found);
    else near.within(points[i], neighbourhood.radius, found);
    if (found.size() < 4)
      throw InputError("", "",
                       "has a particle with only " + std::to_string(found.size() - 1) +
                           " neighbours; a group needs at least three",
                       "take a larger radius or more neighbours");
    groups.add(found, 0, material[i]);
  }
  return groups;
}

void add_fit_row(const Groups& groups, int g, const Vec3& rest_point, Weights& weights) {
  const std::span<const int> members = groups.members(g);
  Vec3 middle = Vec3::Zero();
  double mass = 0;
  for (const int p : members) {
    middle += groups.mass[p] * groups.rest[p];
    mass += groups.mass[p];
  }
  middle /= mass;
  Mat3 Q = Mat3::Zero();
  for (const int p : members)
    Q += groups.mass[p] * (groups.rest[p] - middle) * (groups.rest[p] - middle).transpose();
  const Vec3 away = shortest_solution(Q, rest_point - middle);
  std::vector<double> share;
  for (const int p : members)
    share.push_back(groups.mass[p] * (1 / mass + away.dot(groups.rest[p] - middle)));
  weights.add_row(members, share);
}

Weights hang_on_groups(const Groups& groups, const std::vector<Vec3>& points) {
  std::vector<Vec3> centres;
  for (int g = 0; g < groups.size(); ++g) {
    Vec3& centre = centres.emplace_back(Vec3::Zero());
    for (const int p : groups.members(g))
      centre += groups.rest[p] / double(groups.members(g).size());
  }
  const double bin = typical_spacing(centres);
  const Neighbours near(centres, bin);
  Weights weights;
  std::vector<int> found;
  for (const Vec3& p : points) {
    find_nearest(near, p, 0, bin, found);
    add_fit_row(groups, found.front(), p, weights);
  }
  return weights;
}

}  // namespace pliant::groups
