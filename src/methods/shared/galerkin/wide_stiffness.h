#pragma once

#include <cstdint>
#include <vector>

#include "methods/shared/aligned_floats.h"
#include "methods/shared/galerkin/elastic.h"

namespace pliant::galerkin {

/// y = K x without a matrix, bundle by bundle: the (up to 8) points of a bundle share their nodes,
/// so the gradients are one small dense matrix, applied forwards and backwards. Cells inside a
/// regular grid all have the same matrix; it is kept once and stays in the nearest cache. Floats,
/// relative to one node of the bundle, so that their rounding is relative to strains and turns, not
/// to movement. The answer does not depend on the number of threads.
class WideStiffness {
 public:
  explicit WideStiffness(const Elastic& elastic);

  /// Takes the stiffness of all points as elastic.keep_tangents() left it.
  void set_tangents(const Elastic& elastic);

  void multiply(const std::vector<Vec3>& x, std::vector<Vec3>& y);
  /// y = mass x + factor K x, and 0 at held nodes.
  void multiply(const std::vector<Vec3>& x, const std::vector<double>& mass, double factor,
                const std::vector<char>& held, std::vector<Vec3>& y);

  int patterns() const { return int(patterns_.size()); }  // different bundle matrices
  int bundles() const { return int(bundles_.size()); }

  /// How the gradients of a bundle are stored: rows 8 d + p for derivative d of point p.
  static constexpr int points_per_bundle = 8;
  static constexpr int rows = 24;
  static constexpr int padded_rows = 32;

  struct Pattern {
    int count = 0;                  // nodes
    int slots = 0;                  // the same, padded to a multiple of 16
    std::vector<double> exact;      // [slot][row]
    AlignedFloats by_node, by_row;  // [slot][padded row], [row][slot]
  };
  struct Bundle {
    int pattern = 0;
    int node_start = 0;    // into nodes_
    int answer_start = 0;  // into answers_, in slots
  };

 private:
  void multiply_bundles(const std::vector<Vec3>& x);
  Vec3 answer(int node) const;
  int find_pattern(Pattern&& wanted, std::vector<std::pair<std::uint64_t, int>>& known);

  bool rotated_ = false;  // all points corotated: 17 numbers instead of 45
  std::vector<Pattern> patterns_;
  std::vector<Bundle> bundles_;
  std::vector<int> nodes_;
  std::vector<int> point_start_;
  AlignedFloats tangents_;  // [bundle][number][8]
  std::vector<double> x_;   // [node][4]
  AlignedFloats answers_;   // [slot of a bundle][4]
  // Node n is the sum of answers at places answer_[answer_start_[n]] ...
  std::vector<int> answer_start_, answer_;
};

}  // namespace pliant::galerkin
