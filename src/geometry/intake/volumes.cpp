#include "geometry/intake/volumes.h"

#include <algorithm>
#include <cmath>

#include "core/parallel.h"

namespace pliant {

double counted_volume(const TriangleMesh& mesh, const WindingNumber& winding, int samples) {
  Box box;
  for (const Triangle& t : mesh.triangles)
    for (const int p : t) box.add(mesh.points[p]);
  const Vec3 extent = box.extent();
  if (!(extent.prod() > 0)) return 0;
  const double spacing = std::cbrt(extent.prod() / samples);
  const Eigen::Vector3i count =
      (extent / spacing).array().round().max(4).min(400).matrix().cast<int>();
  const Vec3 cell = extent.cwiseQuotient(count.cast<double>());
  // Within a cell each row of points is shifted differently, so that flat faces are not all hit or
  // all missed.
  const auto shift = [](int i, int j) {
    return std::fmod(0.5 + 0.6180339887 * i + 0.7548776662 * j, 1.0);
  };
  const double inside = parallel_sum(count.z(), 1, [&](int begin, int end) {
    double sum = 0;
    for (int k = begin; k < end; ++k)
      for (int j = 0; j < count.y(); ++j)
        for (int i = 0; i < count.x(); ++i) {
          const Vec3 x(i + shift(j, k), j + shift(k, i), k + shift(i, j));
          sum += winding.inside(box.low + cell.cwiseProduct(x));
        }
    return sum;
  });
  return inside * cell.prod();
}

}  // namespace pliant
