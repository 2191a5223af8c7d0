#pragma once

#include <array>
#include <vector>

#include "geometry/query/bvh.h"

namespace pliant {

/// Generalised winding number: about 1 inside, 0 outside, in between near holes. Works for any
/// triangle soup.
double winding_number_brute_force(const TriangleMesh& mesh, const Vec3& p);

/// The same in logarithmic time: far groups of triangles count by the first three terms of their
/// expansion (Barill et al. 2018). Error below 0.01.
class WindingNumber {
 public:
  explicit WindingNumber(const TriangleMesh& mesh);
  double at(const Vec3& p) const;
  bool inside(const Vec3& p) const { return at(p) > 0.5; }

 private:
  // A group of triangles seen from afar: moments of its area vectors A about a centre, with d =
  // place - centre.
  struct Far {
    Vec3 centre = Vec3::Zero();  // [m]
    double near2 = 0;            // [m^2] squared distance below which the group must be opened
    Vec3 area = Vec3::Zero();    // [m^2] sum of A
    double trace = 0;            // [m^3] sum of d . A
    Mat3 spread = Mat3::Zero();  // [m^3] sum of d A^T
    Vec3 bend = Vec3::Zero();    // [m^4] the third term's part along r
    std::array<double, 10> cubic = {};  // [m^4] and its part cubic in r
    int part = 0;                       // first of its parts; of a single triangle: the triangle
    int parts = 0;                      // 0 = a single triangle

    double solid_angle(const Vec3& r, double r2) const;  // r = centre - eye
  };
  using Corners = std::array<Vec3, 3>;
  static Far summarise(const Corners* begin, const Corners* end);

  std::vector<Far> far_;
  std::vector<Corners> corners_;  // leaf by leaf
};

}  // namespace pliant
