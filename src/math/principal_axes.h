#pragma once

#include "math/types.h"

namespace pliant {

/// A symmetric matrix as three numbers along three directions. Eigen's solver takes the compiler
/// ten seconds wherever it is used: here it is used once.
struct PrincipalAxes {
  Vec3 values;      // rising
  Mat3 directions;  // columns, unit length, at right angles; left- or right-handed
};

PrincipalAxes principal_axes(const Mat3& symmetric);

/// Only the numbers, which takes half the time.
Vec3 principal_values(const Mat3& symmetric);

/// The x nearest to A x = b, A symmetric and without negative values, and of those the shortest:
/// where A is zero along an axis, so is x.
Vec3 shortest_solution(const Mat3& A, const Vec3& b);

}  // namespace pliant
