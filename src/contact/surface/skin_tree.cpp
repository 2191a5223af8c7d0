#include "contact/surface/skin_tree.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/assert.h"
#include "core/parallel.h"

namespace pliant {
namespace {

constexpr int leaf_size = LeafBoxes::most;
constexpr int leaf_grain = 256;
constexpr double part_share = 0.5;  // of a clearance that is measured: how large its parts are

}  // namespace

void SkinTree::build(const Skin& skin) {
  ASSERT(skin.triangles.empty() || skin.size() > 0, "triangles have vertices");
  const int count = int(skin.triangles.size());
  nodes_.clear();
  order_.resize(std::size_t(count));
  std::iota(order_.begin(), order_.end(), 0);
  if (count == 0) return;
  std::vector<Vec3> centre;
  for (const Triangle& t : skin.triangles)
    centre.push_back((skin.rest[t[0]] + skin.rest[t[1]] + skin.rest[t[2]]) / 3);
  // Halves by the middle of the longest side of their centres' box, at rest: a skin that moves
  // keeps its neighbours.
  nodes_.push_back({});
  nodes_[0].end = count;
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    const int begin = nodes_[n].begin, end = nodes_[n].end;
    if (end - begin <= leaf_size) continue;
    Box box;
    for (int k = begin; k < end; ++k) box.add(centre[order_[k]]);
    int axis = 0;
    box.extent().maxCoeff(&axis);
    const int leaves = (end - begin + leaf_size - 1) / leaf_size;
    const int middle = begin + leaves / 2 * leaf_size;  // so that leaves are full
    std::nth_element(order_.begin() + begin, order_.begin() + middle, order_.begin() + end,
                     [&](int a, int b) {
                       if (centre[a][axis] != centre[b][axis])
                         return centre[a][axis] < centre[b][axis];
                       return a < b;
                     });
    nodes_[n].left = int(nodes_.size());
    Node left, right;
    left.begin = begin, left.end = right.begin = middle, right.end = end;
    nodes_.push_back(left);
    nodes_.push_back(right);
  }

  corners_.clear();
  for (const int t : order_) corners_.push_back(skin.triangles[t]);
  leaf_.clear();
  vertices_.clear();
  vertex_start_.assign(1, 0);
  std::vector<char> taken(skin.rest.size(), 0);
  for (int n = 0; n < int(nodes_.size()); ++n) {
    if (nodes_[n].left >= 0) continue;
    nodes_[n].leaf = leaves();
    leaf_.push_back(n);
    for (const int t : triangles(nodes_[n].leaf))
      for (const int v : skin.triangles[t]) {
        if (!taken[v]) vertices_.push_back(v);
        taken[v] = 1;
      }
    vertex_start_.push_back(int(vertices_.size()));
  }
  boxes_.assign(leaf_.size(), {});
  named_.assign(nodes_.size(), 0);
}

void SkinTree::refit(const Skin& skin, Node& node) {
  node.box = Box{};
  if (node.left >= 0) {
    node.box.add(nodes_[node.left].box);
    node.box.add(nodes_[node.left + 1].box);
    return;
  }
  node.box = boxes_[node.leaf].fit(
      skin.position, {corners_.data() + node.begin, std::size_t(node.end - node.begin)});
}

void SkinTree::refit(const Skin& skin) {
  ASSERT(corners_.size() == skin.triangles.size(), "the tree is of this skin");
  parallel_for(leaves(), leaf_grain, [&](int begin, int end) {
    for (int leaf = begin; leaf < end; ++leaf) refit(skin, nodes_[leaf_[leaf]]);
  });
  for (int n = int(nodes_.size()) - 1; n >= 0; --n)
    if (nodes_[n].left >= 0) refit(skin, nodes_[n]);
  forget_named();
}

void SkinTree::refit_named(const Skin& skin) {
  if (!any_named_) return;
  for (std::size_t n = 0; n < nodes_.size(); ++n)
    if (named_[n] && nodes_[n].left >= 0) named_[nodes_[n].left] = named_[nodes_[n].left + 1] = 1;
  for (int n = int(nodes_.size()) - 1; n >= 0; --n)
    if (named_[n]) refit(skin, nodes_[n]);
  forget_named();
}

void SkinTree::forget_named() {
  if (any_named_) std::fill(named_.begin(), named_.end(), 0);
  any_named_ = false;
}

double SkinTree::distance(const SkinTree& other, double most, Open& open) const {
  double least = most * most;
  if (nodes_.empty() || other.nodes_.empty()) return most;
  open.assign(1, {0, 0});
  while (!open.empty()) {
    const auto [m, n] = open.back();
    open.pop_back();
    const Node &a = nodes_[m], &b = other.nodes_[n];
    const double squared = squared_distance(a.box, b.box);
    if (squared >= least) continue;
    if (a.left >= 0 || b.left >= 0) open_children(m, a, n, b, open);
    else least = squared;
  }
  return std::sqrt(least);
}

void SkinTree::find_parts(const SkinTree& other, double reach, Open& open, Open& parts) const {
  ASSERT(reach >= 0 && &open != &parts, "searches work in a list of their own");
  parts.clear();
  // Smaller parts would tell little more.
  const auto is_part = [&](const Node& node) {
    return node.left < 0 || (node.box.high - node.box.low).maxCoeff() < part_share * reach;
  };
  open.clear();
  if (!nodes_.empty() && !other.nodes_.empty()) open.push_back({0, 0});
  while (!open.empty()) {
    const auto [m, n] = open.back();
    open.pop_back();
    const Node &a = nodes_[m], &b = other.nodes_[n];
    if (squared_distance(a.box, b.box) >= reach * reach) continue;
    const bool opens_a = !is_part(a), opens_b = !is_part(b);
    if (opens_a || opens_b) open_children(m, a, opens_a, n, b, opens_b, open);
    else parts.push_back({m, n});
  }
}

void SkinTree::measure_clearances(const SkinTree& other, const Open& parts, double most,
                                  const Skin& skin, Clearances& clearances, const Skin& other_skin,
                                  Clearances& of_other) const {
  clearances.of_part.assign(nodes_.size(), most * most);
  of_other.of_part.assign(other.nodes_.size(), most * most);
  for (const auto& [m, n] : parts) {
    const double squared = squared_distance(nodes_[m].box, other.nodes_[n].box);
    clearances.of_part[m] = std::min(clearances.of_part[m], squared);
    of_other.of_part[n] = std::min(of_other.of_part[n], squared);
  }
  give_clearances(skin, most, clearances);
  other.give_clearances(other_skin, most, of_other);
}

/// A vertex has the least clearance of the parts around it.
void SkinTree::give_clearances(const Skin& skin, double most, Clearances& clearances) const {
  clearances.of_vertex.assign(std::size_t(skin.size()), most);
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    if (clearances.of_part[n] >= most * most) continue;
    const double clearance = std::sqrt(clearances.of_part[n]);
    for (int k = nodes_[n].begin; k < nodes_[n].end; ++k)
      for (const int v : corners_[k])
        clearances.of_vertex[v] = std::min(clearances.of_vertex[v], clearance);
  }
}

}  // namespace pliant
