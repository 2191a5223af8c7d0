#pragma once

#include <vector>

#include "geometry/query/neighbours.h"

namespace pliant::meshless {

/// How far a particle is felt.
struct Support {
  int nearest = 12;  // support radius = dilation times the mean distance to this many particles
  double dilation = 1.8;  //
};

/// Moving least squares functions at one place: linear fields are reproduced exactly.
struct Shape {
  std::vector<int> node;
  std::vector<double> value;
  std::vector<Vec3> gradient;  // [1/m]
  double radius = 0;           // [m] of the support
  double condition = 0;        // of the moment matrix
};

/// Functions at `x`. The support grows until it holds enough particles that do not lie in a plane;
/// throws InputError when even all of them do.
Shape shape_at(const Neighbours& particles, const Vec3& x, const Support& support = {});

/// The same with a given radius, without looking whether that is enough.
Shape shape_within(const Neighbours& particles, const Vec3& x, double radius);

}  // namespace pliant::meshless
