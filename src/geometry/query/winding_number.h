#pragma once

#include <vector>

#include "geometry/query/bvh.h"

namespace pliant {

/// Generalised winding number: about 1 inside, 0 outside, in between near holes. Works for any triangle soup.
double winding_number_brute_force(const TriangleMesh& mesh, const Vec3& p);

/// The same in logarithmic time: far groups of triangles count as one dipole (Barill et al. 2018). Error below 0.01.
class WindingNumber {
 public:
  explicit WindingNumber(const TriangleMesh& mesh);
  double at(const Vec3& p) const;
  bool inside(const Vec3& p) const { return at(p) > 0.5; }
};

}  // namespace pliant
