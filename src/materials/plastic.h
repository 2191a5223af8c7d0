#pragma once

#include <limits>
#include <optional>

#include "core/fields.h"
#include "math/types.h"

namespace pliant {

/// What a user says about a material that flows. Exactly one of the two yields is given.
struct Plastic {
  std::optional<double> yield;         // [Pa] equivalent stress (von Mises) at which it flows
  std::optional<double> yield_strain;  // instead: equivalent elastic strain
  double flow = 30;                    // [1/s] at which the excess over the yield dies
  double hardening = 0;            // rise of the yield per plastic strain; [Pa] or [1] as the yield
  std::optional<double> limit;     // plastic strain from which on it is elastic
  std::optional<double> fracture;  // plastic strain at which it breaks
};

void describe(Fields& fields, Plastic& plastic);

/// How a material flows: shape gives way above the yield, volume never does.
///
/// Measured by Hencky's strain, e = the logarithms of the stretches without their mean, and its
/// equivalent sqrt(2/3 e : e), which is the strain along the axis of a pulled bar that keeps its
/// volume. The excess over the yield decays at `rate`; with hardening the yield rises meanwhile.
/// Both are integrated exactly for a deformation that is held, so n flows of dt are one of n dt.
struct PlasticLaw {
  double yield = 0;                                        // equivalent elastic strain
  double rate = 0;                                         // [1/s]
  double hardening = 0;                                    // rise of `yield` per plastic strain
  double limit = std::numeric_limits<double>::infinity();  // plastic strain: none flows beyond it
  double fracture = std::numeric_limits<double>::infinity();  // plastic strain: the matter breaks

  /// The largest plastic strain of one call: what is stretched further flows in several.
  static constexpr double largest_change = 0.2;

  static PlasticLaw from(const Plastic& plastic, double young, double poisson);

  /// By what rest vectors are multiplied: symmetric, determinant 1. The new elastic deformation is
  /// F times its inverse.
  struct Change {
    Mat3 stretch = Mat3::Identity();
    Mat3 inverse = Mat3::Identity();
    double strain = 0;  // plastic, of this change; 0 = nothing flowed
  };
  /// `F`: elastic deformation gradient; `so_far`: plastic strain that has gathered. Nothing flows
  /// where F is inside out.
  Change flow(const Mat3& F, double so_far, double dt) const;
};

/// Equivalent elastic strain of F; see PlasticLaw.
double equivalent_strain(const Mat3& F);

}  // namespace pliant
