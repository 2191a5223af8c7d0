#pragma once

#include <span>

#include "math/types.h"

namespace pliant {

/// Six loads on a free body that neither push nor turn it: how much it gives under them says how
/// stiff it is, whatever holds it later. Forces per volume [N/m^3] over the axes of the solid.
class FreeLoads {
 public:
  static constexpr int count = 6;
  static constexpr const char* names[count] = {"stretch", "bend",   "bend across",
                                               "twist",   "S-bend", "squash"};

  /// For a solid of these places and volumes, or masses.
  FreeLoads(std::span<const Vec3> place, std::span<const double> volume);

  /// Of all six at one place.
  Eigen::Matrix<double, 3, count> at(const Vec3& place) const;

 private:
  Eigen::Matrix<double, 3, count> shape(const Vec3& place) const;
  Eigen::Matrix<double, 3, 6> rigid(const Vec3& place) const;

  Vec3 centre_ = Vec3::Zero();
  Mat3 axes_ = Mat3::Identity();
  double size_ = 1;
  Eigen::Matrix<double, 6, count> balance_ = Eigen::Matrix<double, 6, count>::Zero();
};

}  // namespace pliant
