#pragma once

#include <functional>

#include "body/body_compliance.h"

namespace pliant::galerkin {

/// The compliance of a body in a short step of scaled inertia: (M + s L)^-1, the same along every
/// axis and however the body is deformed, so answers are exact. Columns are made when a node is
/// first touched and kept while the factor stays.
class InertiaCompliance final : public BodyCompliance {
 public:
  /// Makes the columns of up to three nodes: columns[n][i] is how node n answers nodes[i].
  using Columns = std::function<void(std::span<const int> nodes, std::vector<Vec3>& columns)>;
  InertiaCompliance(std::size_t nodes, Columns make);

  bool is_isotropic() const override { return true; }
  void fill(std::span<const int> nodes, std::vector<float>& blocks) override;
  const std::vector<Vec3>& pending() override { return nothing_; }

  /// What columns are of: other ones are made when it changes.
  void of_factor(int made, double scale, bool free);

 private:
  void make_columns(std::span<const int> nodes);

  Columns make_;
  int made_ = -1;
  double scale_ = 0;
  bool free_ = false;
  std::vector<std::vector<float>> columns_;  // by node, or empty
  std::vector<int> missing_;
  std::vector<Vec3> made_columns_;
  std::vector<Vec3> nothing_;
};

}  // namespace pliant::galerkin
