#pragma once

#include <span>
#include <vector>

#include "math/types.h"

namespace pliant {

/// A sparse matrix whose rows sum to one: each point is a weighted sum of nodes. Rows are stored
/// one after the other; row r is the range start[r] .. start[r + 1].
struct Weights {
  std::vector<int> start = {0};
  std::vector<int> node;
  std::vector<double> weight;

  int rows() const { return int(start.size()) - 1; }

  /// Row r takes node r alone.
  static Weights identity(int rows);

  /// Appends a row. Nodes of weight zero are left out.
  void add_row(std::span<const int> nodes, std::span<const double> weights);

  /// Points from nodes, in parallel.
  void gather(const std::vector<Vec3>& nodes, std::vector<Vec3>& points) const;
  /// The same, and the boxes round the ways that they have come from two other places each.
  struct WayBoxes {
    Box first, second;
    bool finite = true;  // all of them
  };
  WayBoxes gather(const std::vector<Vec3>& nodes, std::vector<Vec3>& points,
                  const std::vector<Vec3>& first, const std::vector<Vec3>& second) const;

  /// One point from nodes.
  Vec3 gather(int row, const std::vector<Vec3>& nodes) const {
    Vec3 sum = Vec3::Zero();
    for (int k = start[row]; k < start[row + 1]; ++k) sum += weight[k] * nodes[node[k]];
    return sum;
  }

  /// Adds `value` at a point to its nodes: the transpose of gather.
  void scatter(int row, const Vec3& value, std::vector<Vec3>& nodes) const {
    for (int k = start[row]; k < start[row + 1]; ++k) nodes[node[k]] += weight[k] * value;
  }
};

}  // namespace pliant
