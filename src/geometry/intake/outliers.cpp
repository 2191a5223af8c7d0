#include "geometry/intake/outliers.h"

#include <algorithm>
#include <cstdint>

#include "core/disjoint_sets.h"

namespace pliant {
namespace {

constexpr double least_group = 0.01;   // of all points
constexpr double most_left_out = 0.2;  // of all points

using Index = Eigen::Matrix<std::int64_t, 3, 1>;

/// Bins of `link` that hold points, sorted, and the bin of every point. Bins are compared as three
/// numbers: a single far point may lie any number of bins away.
struct Bins {
  std::vector<Index> bins;
  std::vector<int> of_point;

  static bool before(const Index& a, const Index& b) {
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
  }

  Bins(const std::vector<Vec3>& points, double link) : of_point(points.size()) {
    constexpr double farthest = 1e15;  // whole numbers end somewhere
    std::vector<Index> all;
    all.reserve(points.size());
    const Vec3 origin = points.front();
    for (const Vec3& p : points) {
      const Vec3 at = ((p - origin) / link).array().floor();
      all.push_back(at.cwiseMax(-farthest).cwiseMin(farthest).cast<std::int64_t>());
    }
    bins = all;
    std::sort(bins.begin(), bins.end(), before);
    bins.erase(std::unique(bins.begin(), bins.end()), bins.end());
    for (std::size_t i = 0; i < all.size(); ++i) of_point[i] = find(all[i]);
  }

  /// -1: no point lies there.
  int find(const Index& at) const {
    const auto place = std::lower_bound(bins.begin(), bins.end(), at, before);
    return place != bins.end() && *place == at ? int(place - bins.begin()) : -1;
  }
};

/// Per bin: the number of its group. Bins that touch, if only at a corner, are of one group.
std::vector<int> groups_of(const Bins& bins) {
  DisjointSets sets(int(bins.bins.size()));
  for (int b = 0; b < int(bins.bins.size()); ++b)
    for (int n = 0; n < 13; ++n) {  // half of the 26 around: the others look from their side
      const Index beside = bins.bins[b] + Index(n / 9 - 1, n / 3 % 3 - 1, n % 3 - 1);
      if (const int other = bins.find(beside); other >= 0) sets.join(b, other);
    }
  return sets.numbers();
}

}  // namespace

std::vector<Vec3> without_outliers(const std::vector<Vec3>& points, double link) {
  if (points.empty() || !(link > 0)) return points;
  const Bins bins(points, link);
  const std::vector<int> group = groups_of(bins);
  std::vector<std::size_t> size(group.size(), 0);
  for (const int bin : bins.of_point) ++size[group[bin]];

  const double least = least_group * double(points.size());
  std::vector<Vec3> kept;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (double(size[group[bins.of_point[i]]]) >= least) kept.push_back(points[i]);
  const double left_out = double(points.size() - kept.size());
  return left_out <= most_left_out * double(points.size()) ? kept : points;
}

}  // namespace pliant
