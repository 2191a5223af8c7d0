#pragma once

#include <functional>

#include "body/body_compliance.h"
#include "methods/shared/galerkin/rest_factor.h"

namespace pliant::galerkin {

/// The compliance of a body that is stepped by ImplicitStep: columns of the inverse at rest, made
/// when a node is first touched and kept while the factor stays. A column is the same whenever it
/// is made, so a run that is resumed goes on to the same bits.
class RestCompliance final : public BodyCompliance {
 public:
  /// `answer`: the move [m] that a residual still asks for, in the body's frame, or nearly so.
  using Answer = std::function<void(const std::vector<Vec3>& residual, std::vector<Vec3>& move)>;
  RestCompliance(RestFactor& factor, std::size_t nodes, Answer answer);

  void fill(std::span<const int> nodes, std::vector<float>& blocks) override;
  /// The answer to `left`.
  const std::vector<Vec3>& pending() override;

  /// [kg m] Residual of the balance with `answered`, in the body's frame; zero at held nodes.
  std::vector<Vec3> left;
  bool has_left = false;    // it was set since pending() was made
  bool is_balanced = true;  // nothing of it is worth a move

 private:
  const std::vector<float>& column_of(int node);

  RestFactor& factor_;
  Answer answer_;
  int made_ = -1;                            // of the factor, when columns were made
  std::vector<std::vector<float>> columns_;  // by node: [node][9], or empty
  std::vector<Mat3> blocks_;
  std::vector<Vec3> pending_;
};

}  // namespace pliant::galerkin
