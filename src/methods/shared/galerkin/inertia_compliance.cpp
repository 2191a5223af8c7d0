#include "methods/shared/galerkin/inertia_compliance.h"

#include <algorithm>

namespace pliant::galerkin {

InertiaCompliance::InertiaCompliance(std::size_t nodes, Columns make)
    : make_(std::move(make)), columns_(nodes), nothing_(nodes, Vec3::Zero()) {
  answered.assign(nodes, Vec3::Zero());
}

void InertiaCompliance::of_factor(int made, double scale, bool free) {
  if (made == made_ && scale == scale_ && free == free_) return;
  made_ = made;
  scale_ = scale;
  free_ = free;
  for (std::vector<float>& column : columns_) column.clear();
}

void InertiaCompliance::make_columns(std::span<const int> nodes) {
  make_(nodes, made_columns_);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    std::vector<float>& column = columns_[std::size_t(nodes[i])];
    column.reserve(made_columns_.size());
    for (const Vec3& move : made_columns_) column.push_back(float(move[int(i)]));
  }
}

void InertiaCompliance::fill(std::span<const int> nodes, std::vector<float>& blocks) {
  missing_.clear();
  for (const int node : nodes)
    if (columns_[std::size_t(node)].empty()) missing_.push_back(node);
  for (std::size_t first = 0; first < missing_.size(); first += 3)
    make_columns(
        std::span(missing_).subspan(first, std::min<std::size_t>(3, missing_.size() - first)));
  blocks.resize(nodes.size() * nodes.size());
  float* to = blocks.data();
  for (const int node : nodes) {
    const std::vector<float>& column = columns_[std::size_t(node)];
    for (const int other : nodes) *to++ = column[std::size_t(other)];
  }
}

}  // namespace pliant::galerkin
