#include "methods/groups/volumes.h"

#include <cmath>
#include <numbers>
#include <numeric>

#include "core/assert.h"
#include "geometry/query/neighbours.h"

namespace pliant::groups {
namespace {

/// Mass per volume around each particle, by the kernel 315/(64 pi r^9) (r^2 - d^2)^3.
std::vector<double> densities(const Groups& groups, double radius) {
  const Neighbours near(groups.rest, radius);
  const double factor = 315 / (64 * std::numbers::pi * std::pow(radius, 9));
  std::vector<double> density;
  std::vector<int> found;
  for (const Vec3& p : groups.rest) {
    near.within(p, radius, found);
    double sum = 0;
    for (const int q : found)
      sum += groups.mass[q] * std::pow(radius * radius - (groups.rest[q] - p).squaredNorm(), 3);
    density.push_back(factor * sum);
  }
  return density;
}

double sphere_volume(const Groups& groups, int g) {
  const std::span<const int> members = groups.members(g);
  Vec3 middle = Vec3::Zero();
  for (const int p : members) middle += groups.rest[p] / double(members.size());
  double mean = 0;
  for (const int p : members) mean += (groups.rest[p] - middle).norm() / double(members.size());
  return 4.0 / 3 * std::numbers::pi * mean * mean * mean;
}

}  // namespace

void scale_volumes(Groups& groups, double object) {
  const double sum = std::accumulate(groups.volume.begin(), groups.volume.end(), 0.0);
  ASSERT(sum > 0, "there is something to scale");
  for (double& v : groups.volume) v *= object / sum;
}

void estimate_volumes(Groups& groups, VolumeEstimate estimate, double object, double radius) {
  std::vector<double> density;
  if (estimate == VolumeEstimate::density) {
    ASSERT(groups.size() == groups.particles(), "one group for each particle");
    density = densities(groups, radius);
  }
  for (int g = 0; g < groups.size(); ++g)
    groups.volume[g] = estimate == VolumeEstimate::even      ? 1
                       : estimate == VolumeEstimate::density ? groups.mass[g] / density[g]
                                                             : sphere_volume(groups, g);
  scale_volumes(groups, object);
}

}  // namespace pliant::groups
