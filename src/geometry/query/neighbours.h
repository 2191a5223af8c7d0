#pragma once

#include <vector>

#include "math/types.h"

namespace pliant {

/// Points in bins of a grid, to find those near a place. Keeps a copy of the points.
class Neighbours {
 public:
  Neighbours(std::vector<Vec3> points, double bin);

  /// Indices of all points nearer than `radius`, rising. `found` is cleared first.
  void within(const Vec3& centre, double radius, std::vector<int>& found) const;

  /// Mean distance to the k nearest, or to all when there are fewer.
  double mean_distance(const Vec3& centre, int k, std::vector<int>& scratch) const;

  /// Distance to the nearest, if that is below `radius`; otherwise `radius`.
  double nearest(const Vec3& centre, double radius, std::vector<int>& scratch) const;

  const std::vector<Vec3>& points() const { return points_; }

 private:
  Eigen::Vector3i bin_of(const Vec3& p) const;

  std::vector<Vec3> points_;
  double bin_;
  Vec3 origin_;
  Eigen::Vector3i count_;
  std::vector<int> start_, order_;
};

}  // namespace pliant
