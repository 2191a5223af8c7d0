#include "methods/shared/galerkin/rest_compliance.h"

#include <algorithm>

namespace pliant::galerkin {

RestCompliance::RestCompliance(RestFactor& factor, std::size_t nodes, Answer answer)
    : factor_(factor), answer_(std::move(answer)), columns_(nodes) {
  for (std::vector<Vec3>* field : {&answered, &left, &pending_}) field->assign(nodes, Vec3::Zero());
}

void RestCompliance::fill(std::span<const int> nodes, std::vector<float>& blocks) {
  if (made_ != factor_.made()) {
    made_ = factor_.made();
    for (std::vector<float>& column : columns_) column.clear();
  }
  blocks.resize(9 * nodes.size() * nodes.size());
  float* to = blocks.data();
  for (const int node : nodes) {
    const std::vector<float>& column = column_of(node);
    for (const int other : nodes)
      to = std::copy_n(column.data() + 9 * std::ptrdiff_t(other), 9, to);
  }
}

const std::vector<Vec3>& RestCompliance::pending() {
  if (!has_left) return pending_;
  has_left = false;
  if (is_balanced) {
    std::fill(pending_.begin(), pending_.end(), Vec3::Zero());
    return pending_;
  }
  answer_(left, pending_);
  for (Vec3& move : pending_) move = turn * move;
  return pending_;
}

const std::vector<float>& RestCompliance::column_of(int node) {
  std::vector<float>& column = columns_[std::size_t(node)];
  if (!column.empty()) return column;
  factor_.column(node, blocks_);
  column.reserve(9 * blocks_.size());
  for (const Mat3& block : blocks_)
    for (int k = 0; k < 9; ++k) column.push_back(float(block.data()[k]));
  return column;
}

}  // namespace pliant::galerkin
