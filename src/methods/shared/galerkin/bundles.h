#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "methods/shared/aligned_floats.h"
#include "methods/shared/galerkin/points.h"

namespace pliant::galerkin {

/// The quadrature points of a body, eight at a time: the (up to 8) points of a bundle share their
/// nodes, so their gradients are one small dense matrix, applied forwards (from nodes to points)
/// and backwards. Cells inside a regular grid all have the same matrix; it is kept once and stays
/// in the nearest cache. Floats, relative to one node of the bundle, so that their rounding is
/// relative to strains and turns, not to movement. What bundles answer is summed at the nodes in
/// double, in one order for any number of threads.
class Bundles {
 public:
  Bundles(const Points& points, int nodes);

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

  int size() const { return int(bundles_.size()); }
  int patterns() const { return int(patterns_.size()); }  // different matrices
  int nodes() const { return int(answer_start_.size()) - 1; }
  int first_point(int bundle) const { return point_start_[bundle]; }  // of bundle size(): the end

  int pattern_of(int bundle) const { return bundles_[bundle].pattern; }
  const Pattern& pattern(int bundle) const { return patterns_[bundles_[bundle].pattern]; }
  const int* nodes_of(int bundle) const { return nodes_.data() + bundles_[bundle].node_start; }
  /// Room for what a bundle answers, [slot][4].
  float* answers(int bundle) {
    return answers_.data() + 4 * std::size_t(bundles_[bundle].answer_start);
  }

  /// Takes a field over the nodes: x() is [node][4].
  void take(const std::vector<Vec3>& field);
  const double* x() const { return x_.data(); }

  /// Sum of what bundles answered at a node.
  Vec3 answer(int node) const;

 private:
  struct Bundle {
    int pattern = 0;
    int node_start = 0;    // into nodes_
    int answer_start = 0;  // into answers_, in slots
  };
  int find_pattern(Pattern&& wanted, std::vector<std::pair<std::uint64_t, int>>& known);

  std::vector<Pattern> patterns_;
  std::vector<Bundle> bundles_;
  std::vector<int> nodes_;
  std::vector<int> point_start_;
  std::vector<double> x_;  // [node][4]
  AlignedFloats answers_;  // [slot of a bundle][4]
  // Node n is the sum of answers at places answer_[answer_start_[n]] ...
  std::vector<int> answer_start_, answer_;
};

}  // namespace pliant::galerkin
