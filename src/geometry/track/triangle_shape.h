#pragma once

#include <algorithm>

#include "math/types.h"

namespace pliant::track {

struct Corners {
  Vec3 a, b, c;

  Vec3 normal() const { return (b - a).cross(c - a); }  // twice the area long
  double longest2() const {
    return std::max({(b - a).squaredNorm(), (c - b).squaredNorm(), (a - c).squaredNorm()});
  }
};

inline Corners corners_of(const std::vector<Vec3>& points, const Triangle& t) {
  return {points[t[0]], points[t[1]], points[t[2]]};
}

/// Twice the area over the square of the longest edge: 0.87 of an equilateral triangle.
inline double flatness(const Corners& t) { return t.normal().norm() / (t.longest2() + 1e-300); }

/// The same over the product of the two longer edges: does not call a needle flat.
inline double shape(const Corners& t) {
  const double x = (t.b - t.a).norm(), y = (t.c - t.b).norm(), z = (t.a - t.c).norm();
  return std::min({x, y, z}) * t.normal().norm() / (x * y * z + 1e-300);
}

}  // namespace pliant::track
