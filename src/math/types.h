#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <array>
#include <vector>

#include "core/archive.h"

namespace pliant {

using Vec2 = Eigen::Vector2d;
using Vec3 = Eigen::Vector3d;
using Mat3 = Eigen::Matrix3d;
using Quat = Eigen::Quaterniond;

/// Three or four indices into an array of points.
using Triangle = std::array<int, 3>;
using Tet = std::array<int, 4>;

template <>
struct Stored<Vec3> {
  using Scalar = double;
  static constexpr std::size_t count = 3;
};
template <>
struct Stored<Mat3> {
  using Scalar = double;
  static constexpr std::size_t count = 9;
};
template <std::size_t n>
struct Stored<std::array<int, n>> {
  using Scalar = int;
  static constexpr std::size_t count = n;
};

/// Axis-aligned box; empty until something is added.
struct Box {
  Vec3 low = Vec3::Constant(std::numeric_limits<double>::infinity());
  Vec3 high = Vec3::Constant(-std::numeric_limits<double>::infinity());

  void add(const Vec3& p) {
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  void add(const Box& other) {
    low = low.cwiseMin(other.low);
    high = high.cwiseMax(other.high);
  }
  void grow(double by) {
    low.array() -= by;
    high.array() += by;
  }
  bool empty() const { return (low.array() > high.array()).any(); }
  Vec3 extent() const { return empty() ? Vec3(Vec3::Zero()) : Vec3(high - low); }
  Vec3 centre() const { return 0.5 * (low + high); }
  bool contains(const Vec3& p) const {
    return (p.array() >= low.array()).all() && (p.array() <= high.array()).all();
  }
  /// To the nearest point of the box; 0 inside.
  double squared_distance(const Vec3& p) const {
    return (low - p).cwiseMax(p - high).cwiseMax(0).squaredNorm();
  }
  bool overlaps(const Box& other) const {
    return (low.array() <= other.high.array()).all() && (other.low.array() <= high.array()).all();
  }
};

Box bounds(const std::vector<Vec3>& points);

/// Column i is the area vector of the deformed unit cube's face i: d(det F)/dF.
inline Mat3 cofactor(const Mat3& F) {
  Mat3 C;
  C << F.col(1).cross(F.col(2)), F.col(2).cross(F.col(0)), F.col(0).cross(F.col(1));
  return C;
}

/// Rigid placement: turn, then move.
struct Pose {
  Quat rotation = Quat::Identity();
  Vec3 position = Vec3::Zero();

  Vec3 apply(const Vec3& p) const { return rotation * p + position; }
  Vec3 apply_inverse(const Vec3& p) const { return rotation.conjugate() * (p - position); }
};

}  // namespace pliant
