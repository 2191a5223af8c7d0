#pragma once

#include <optional>
#include <vector>

#include "core/archive.h"
#include "core/function_ref.h"
#include "materials/material.h"

namespace pliant {

/// Plastic flow of bodies whose elements stay the same ones: what each element's rest vectors have
/// become. Without resampling an element can be drawn out only so far; then it flows no more.
class ElementFlow {
 public:
  ElementFlow() = default;  // nothing flows
  /// `material`: of each element, complete.
  explicit ElementFlow(const std::vector<Material>& material);

  bool any() const { return !stretch_.empty(); }
  /// Once per step of `dt` seconds; `F`: elastic deformation gradient of an element. Whether
  /// anything flowed.
  bool flow(FunctionRef<Mat3(int)> F, double dt);

  /// By what the element's rest vectors as built are multiplied; determinant 1.
  const Mat3& stretch(int element) const { return stretch_[element]; }
  double strain(int element) const { return any() ? strain_[element] : 0; }
  /// Elements at the end of what they can flow.
  int capped() const;

  void archive(Archive& archive);

  /// The largest stretch along an axis, or its inverse.
  static constexpr double largest_stretch = 4;

 private:
  std::vector<std::optional<PlasticLaw>> law_;
  // State, per element; empty where nothing can flow.
  std::vector<Mat3> stretch_;
  std::vector<double> strain_;
  std::vector<char> capped_;
};

}  // namespace pliant
