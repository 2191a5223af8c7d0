#pragma once

#include <Eigen/Geometry>

#include "math/types.h"

namespace pliant {

/// Sum of squared distances from planes, each with a weight (Garland and Heckbert 1997).
struct Quadric {
  Mat3 a = Mat3::Zero();
  Vec3 b = Vec3::Zero();
  double c = 0;
  double weight = 0;

  void add_plane(const Vec3& normal, const Vec3& point, double share) {
    const double offset = -normal.dot(point);
    a += share * normal * normal.transpose();
    b += share * offset * normal;
    c += share * offset * offset;
    weight += share;
  }
  void add(const Quadric& other) {
    a += other.a;
    b += other.b;
    c += other.c;
    weight += other.weight;
  }
  /// Weighted sum at a point; rounding may leave less than nothing.
  double at(const Vec3& p) const { return std::max(0.0, p.dot(a * p) + 2 * b.dot(p) + c); }
};

}  // namespace pliant
