#include "geometry/query/neighbours.h"

#include <algorithm>
#include <cmath>

namespace pliant {

Neighbours::Neighbours(std::vector<Vec3> points, double bin)
    : points_(std::move(points)), bin_(bin) {
  const Box box = bounds(points_);
  origin_ = box.low;
  for (int axis = 0; axis < 3; ++axis)
    count_[axis] = std::max(1, int(std::floor(box.extent()[axis] / bin_)) + 1);
  start_.assign(std::size_t(count_.x()) * count_.y() * count_.z() + 1, 0);
  const auto place = [&](const Vec3& p) {
    const Eigen::Vector3i at = bin_of(p);
    return std::size_t(at.x()) +
           std::size_t(count_.x()) * (at.y() + std::size_t(count_.y()) * at.z());
  };
  for (const Vec3& p : points_) ++start_[place(p) + 1];
  for (std::size_t b = 1; b < start_.size(); ++b) start_[b] += start_[b - 1];
  std::vector<int> next(start_.begin(), start_.end() - 1);
  order_.resize(points_.size());
  for (int i = 0; i < int(points_.size()); ++i) order_[next[place(points_[i])]++] = i;
}

Eigen::Vector3i Neighbours::bin_of(const Vec3& p) const {
  Eigen::Vector3i at;
  for (int axis = 0; axis < 3; ++axis)
    at[axis] = int(
        std::clamp(std::floor((p[axis] - origin_[axis]) / bin_), 0.0, double(count_[axis] - 1)));
  return at;
}

void Neighbours::within(const Vec3& centre, double radius, std::vector<int>& found) const {
  found.clear();
  const Vec3 reach = Vec3::Constant(radius);
  const Eigen::Vector3i low = bin_of(centre - reach), high = bin_of(centre + reach);
  for (int k = low.z(); k <= high.z(); ++k)
    for (int j = low.y(); j <= high.y(); ++j) {
      // Bins of a row follow each other.
      const std::size_t row = std::size_t(count_.x()) * (j + std::size_t(count_.y()) * k);
      const int last = start_[row + std::size_t(high.x()) + 1];
      for (int o = start_[row + std::size_t(low.x())]; o < last; ++o)
        if ((points_[order_[o]] - centre).squaredNorm() < radius * radius)
          found.push_back(order_[o]);
    }
  std::sort(found.begin(), found.end());
}

double Neighbours::mean_distance(const Vec3& centre, int k, std::vector<int>& scratch) const {
  const int wanted = std::min(k, int(points_.size()));
  double radius = 1.5 * bin_;
  for (within(centre, radius, scratch); int(scratch.size()) < wanted;
       within(centre, radius, scratch))
    radius *= 1.5;
  std::vector<double> distance;
  for (const int i : scratch) distance.push_back((points_[i] - centre).norm());
  std::sort(distance.begin(), distance.end());
  double sum = 0;
  for (int i = 0; i < wanted; ++i) sum += distance[i];
  return sum / wanted;
}

double Neighbours::nearest(const Vec3& centre, double radius, std::vector<int>& scratch) const {
  within(centre, radius, scratch);
  double least = radius;
  for (const int i : scratch) least = std::min(least, (points_[i] - centre).norm());
  return least;
}

}  // namespace pliant
