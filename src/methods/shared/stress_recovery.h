#pragma once

#include <optional>
#include <span>
#include <vector>

#include "body/skin.h"
#include "body/skin_stress.h"
#include "core/function_ref.h"

namespace pliant {

/// Where a body knows its stress: points of integration, or middles of elements.
struct StressSamples {
  std::vector<Vec3> place;       // [m] at rest
  std::vector<double> volume;    // [m^3] at rest
  std::vector<double> sideways;  // as in SkinStress; another one is another material
  int in_cell = 8;               // about how many there are for each node

  int size() const { return int(place.size()); }
  void add(const Vec3& at, double at_rest, double beside) {
    place.push_back(at);
    volume.push_back(at_rest);
    sideways.push_back(beside);
  }
};

/// Stress of a body at the vertices of its skin: a polynomial is fitted to the samples around each
/// and read there (the patch recovery of Zienkiewicz and Zhu 1992). The mean of the samples is the
/// stress half a spacing below the surface, a quarter too low where a body is bent.
class StressRecovery {
 public:
  StressRecovery() = default;
  explicit StressRecovery(StressSamples samples) : samples_(std::move(samples)) {}

  using NodesOf = FunctionRef<std::span<const int>(int sample)>;
  /// `cauchy`: of a sample, now. False when there are no samples.
  bool find(const Skin& skin, NodesOf nodes_of, FunctionRef<Mat3(int)> cauchy,
            SkinStress& found) const;

 private:
  struct Fits {
    int vertices = 0;
    Weights of_samples;        // per vertex; rows sum to one
    std::vector<int> nearest;  // sample of each vertex
  };
  Fits fits_of(const Skin& skin, NodesOf nodes_of) const;

  StressSamples samples_;
  mutable std::optional<Fits> fits_;  // of the skin that was last asked for: it keeps its shape
};

}  // namespace pliant
