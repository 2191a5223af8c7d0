#pragma once

#include <array>
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

  /// The same rows once more, if all have four nodes or fewer: who looks up single rows finds each
  /// in one place of memory instead of three. Where there are fewer nodes, the first one comes
  /// again, with weight zero.
  struct Four {
    std::array<int, 4> node;
    std::array<double, 4> weight;
  };
  std::vector<Four> fours;

  int rows() const { return int(start.size()) - 1; }

  /// Row r takes node r alone.
  static Weights identity(int rows);

  /// Appends a row. Nodes of weight zero are left out.
  void add_row(std::span<const int> nodes, std::span<const double> weights);

  /// Finds `fours`; to be called when all rows are there.
  void pack();

  /// Points from nodes, in parallel.
  void gather(const std::vector<Vec3>& nodes, std::vector<Vec3>& points) const;
  /// The same, and the boxes round the ways that they have come from two other places each.
  struct WayBoxes {
    Box first, second;
    bool finite = true;  // all of them
  };
  WayBoxes gather(const std::vector<Vec3>& nodes, std::vector<Vec3>& points,
                  const std::vector<Vec3>& first, const std::vector<Vec3>& second) const;

  /// work(node, weight) for the nodes of a point.
  template <class Work>
  void for_each(int row, const Work& work) const {
    if (fours.empty())
      for (int k = start[row]; k < start[row + 1]; ++k) work(node[k], weight[k]);
    else
      for (int k = 0; k < 4 && fours[row].weight[k] != 0; ++k)
        work(fours[row].node[k], fours[row].weight[k]);
  }

  /// One point from nodes.
  Vec3 gather(int row, const std::vector<Vec3>& nodes) const {
    Vec3 sum = Vec3::Zero();
    for_each(row, [&](int n, double w) { sum += w * nodes[n]; });
    return sum;
  }

  /// Adds `value` at a point to its nodes: the transpose of gather.
  void scatter(int row, const Vec3& value, std::vector<Vec3>& nodes) const {
    for_each(row, [&](int n, double w) { nodes[n] += w * value; });
  }
};

}  // namespace pliant
