#include "picture/normals.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <numeric>

#include "core/parallel.h"

namespace pliant {
namespace {

using Eigen::Vector3f;

// The first point in the same place, for each point. Sorted by bits: a total order even with NaN.
std::vector<int> first_in_place(std::span<const Vector3f> points) {
  const auto bits = [&](int i) {
    const auto one = [](float x) { return std::bit_cast<std::uint32_t>(x + 0.0f); };  // -0 is 0
    return std::array{one(points[i].x()), one(points[i].y()), one(points[i].z())};
  };
  std::vector<int> order(points.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    const auto x = bits(a), y = bits(b);
    return x != y ? x < y : a < b;
  });
  std::vector<int> first(points.size());
  for (std::size_t k = 0; k < order.size(); ++k) {
    const bool same = k > 0 && bits(order[k]) == bits(order[k - 1]);
    first[order[k]] = same ? first[order[k - 1]] : order[k];
  }
  return first;
}

/// Corners around each point: those of point p are corner[start[p]] .. corner[start[p + 1]].
struct Around {
  std::vector<int> start;
  std::vector<int> corner;  // 3 * triangle + k
};

Around corners_around(const std::vector<int>& first, std::span<const Triangle> triangles) {
  Around around;
  around.start.assign(first.size() + 1, 0);
  for (const Triangle& t : triangles)
    for (const int p : t) ++around.start[first[p] + 1];
  std::partial_sum(around.start.begin(), around.start.end(), around.start.begin());
  around.corner.resize(3 * triangles.size());
  std::vector<int> next(around.start.begin(), around.start.end() - 1);
  for (int t = 0; t < int(triangles.size()); ++t)
    for (int k = 0; k < 3; ++k) around.corner[next[first[triangles[t][k]]]++] = 3 * t + k;
  return around;
}

float corner_angle(std::span<const Vector3f> points, const Triangle& t, int k) {
  const Vector3f a = points[t[(k + 1) % 3]] - points[t[k]];
  const Vector3f b = points[t[(k + 2) % 3]] - points[t[k]];
  return std::atan2(a.cross(b).norm(), a.dot(b));
}

}  // namespace

std::vector<Vector3f> corner_normals(std::span<const Vector3f> points,
                                     std::span<const Triangle> triangles, double crease) {
  const int count = int(triangles.size());
  const std::vector<int> first = first_in_place(points);
  const Around around = corners_around(first, triangles);

  std::vector<Vector3f> face(triangles.size());
  std::vector<float> angle(3 * triangles.size());
  parallel_for(count, 2048, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      const Triangle& t = triangles[i];
      const Vector3f n = (points[t[1]] - points[t[0]]).cross(points[t[2]] - points[t[0]]);
      const float length = n.norm();
      const bool usable = std::isfinite(length) && length > 0;
      face[i] = usable ? Vector3f(n / length) : Vector3f(Vector3f::Zero());
      for (int k = 0; k < 3; ++k) angle[3 * i + k] = usable ? corner_angle(points, t, k) : 0;
    }
  });

  const double radians = std::numbers::pi / 180;
  const float open = float(std::cos(std::max(0.0, crease - 8) * radians));   // fully smooth above
  const float shut = float(std::cos(std::min(89.0, crease + 8) * radians));  // fully sharp below
  std::vector<Vector3f> normals(3 * triangles.size());
  parallel_for(count, 1024, [&](int begin, int end) {
    for (int c = 3 * begin; c < 3 * end; ++c) {
      const Vector3f& own = face[c / 3];
      const int point = first[triangles[c / 3][c % 3]];
      Vector3f sum = Vector3f::Zero();
      for (int k = around.start[point]; k < around.start[point + 1]; ++k) {
        const int other = around.corner[k];
        const float cosine = own.dot(face[other / 3]);
        const float share = std::clamp((std::abs(cosine) - shut) / (open - shut), 0.0f, 1.0f);
        sum += std::copysign(share * angle[other], cosine) * face[other / 3];
      }
      const float length = sum.norm();
      normals[c] = length > 0 ? Vector3f(sum / length) : own;
    }
  });
  return normals;
}

}  // namespace pliant
