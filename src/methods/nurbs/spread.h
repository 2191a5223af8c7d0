#pragma once

#include <algorithm>
#include <vector>

#include "geometry/nurbs/patch.h"

namespace pliant::nurbs {

/// Sums rows over few of many nodes; cleared in the time of what was added.
class Spread {
 public:
  explicit Spread(int nodes) : value_(nodes, 0), gradient_(nodes, Vec3::Zero()), is_in_(nodes, 0) {}

  void clear() {
    for (const int n : node_) {
      value_[n] = 0;
      gradient_[n].setZero();
      is_in_[n] = 0;
    }
    node_.clear();
  }
  void add(int node, double value) {
    if (!is_in_[node]) node_.push_back(node);
    is_in_[node] = 1;
    value_[node] += value;
  }
  void add(int node, double value, const Vec3& gradient) {
    add(node, value);
    gradient_[node] += gradient;
  }
  void add(const PatchRow& row, double value) {
    for (std::size_t k = 0; k < row.pole.size(); ++k) add(row.pole[k], row.weight[k] * value);
  }
  void add(const PatchRow& row, double value, const Vec3& gradient) {
    add(row, value);
    for (std::size_t k = 0; k < row.pole.size(); ++k)
      gradient_[row.pole[k]] += row.weight[k] * gradient;
  }
  /// The sums, nodes rising.
  void take(std::vector<int>& node, std::vector<double>& value) {
    std::sort(node_.begin(), node_.end());
    node = node_;
    value.clear();
    for (const int n : node_) value.push_back(value_[n]);
  }
  void take(std::vector<int>& node, std::vector<double>& value, std::vector<Vec3>& gradient) {
    take(node, value);
    gradient.clear();
    for (const int n : node_) gradient.push_back(gradient_[n]);
  }

 private:
  std::vector<double> value_;
  std::vector<Vec3> gradient_;
  std::vector<char> is_in_;
  std::vector<int> node_;
};

}  // namespace pliant::nurbs
