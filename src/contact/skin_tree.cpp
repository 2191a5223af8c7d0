#include "contact/skin_tree.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace pliant {
namespace {

constexpr int leaf_size = 4;
constexpr double looks_same = 1.77;  // [rad] 101 degrees: cosine -0.2

}  // namespace

void SkinTree::build(const Skin& skin) {
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
    const int middle = (begin + end) / 2;
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

  leaf_.clear();
  vertices_.clear();
  vertex_start_.assign(1, 0);
  std::vector<char> taken(skin.rest.size(), 0);
  for (int n = 0; n < int(nodes_.size()); ++n) {
    if (nodes_[n].left >= 0) continue;
    nodes_[n].leaf = leaves();
    leaf_.push_back(n);
    for (const int t : leaf_triangles(nodes_[n].leaf))
      for (const int v : skin.triangles[t]) {
        if (!taken[v]) vertices_.push_back(v);
        taken[v] = 1;
      }
    vertex_start_.push_back(int(vertices_.size()));
  }
}

void SkinTree::refit(const Skin& skin, bool normals) {
  for (int n = int(nodes_.size()) - 1; n >= 0; --n) {
    Node& node = nodes_[n];
    node.box = Box{};
    if (node.left >= 0) {
      node.box.add(nodes_[node.left].box);
      node.box.add(nodes_[node.left + 1].box);
    } else {
      for (int k = node.begin; k < node.end; ++k)
        for (const int v : skin.triangles[order_[k]]) node.box.add(skin.position[v]);
    }
  }
  if (normals) fit_cones(skin);
}

bool SkinTree::look_same(const Cone& a, const Cone& b) {
  const double spread = a.angle + b.angle;
  return spread < looks_same && a.axis.dot(b.axis) > std::cos(looks_same - spread);
}

void SkinTree::fit_cones(const Skin& skin) {
  const std::vector<Vec3>& p = skin.position;
  cones_.resize(nodes_.size());
  for (int n = int(nodes_.size()) - 1; n >= 0; --n) {
    const Node& node = nodes_[n];
    Cone& cone = cones_[n];
    cone = {Vec3::UnitY(), std::numbers::pi, 2};
    Vec3 axis = Vec3::Zero();
    if (node.left < 0) {
      Vec3 normal[leaf_size];
      for (int k = node.begin; k < node.end; ++k) {
        const Triangle& t = skin.triangles[order_[k]];
        normal[k - node.begin] = (p[t[1]] - p[t[0]]).cross(p[t[2]] - p[t[0]]).normalized();
        axis += normal[k - node.begin];
      }
      const double length = axis.norm();
      if (!(length > 0.1)) continue;
      cone.axis = axis / length;
      double least = 1;
      for (int k = 0; k < node.end - node.begin; ++k)
        least = std::min(least, cone.axis.dot(normal[k]));
      cone.angle = std::acos(std::clamp(least, -1.0, 1.0));
    } else {
      const Cone& a = cones_[node.left];
      const Cone& b = cones_[node.left + 1];
      axis = a.axis + b.axis;
      const double length = axis.norm();
      if (!(length > 0.1) || a.angle + b.angle > 3) continue;
      cone.axis = axis / length;
      const double between = std::acos(std::clamp(a.axis.dot(b.axis), -1.0, 1.0));
      cone.angle = 0.5 * between + std::max(a.angle, b.angle);
    }
    if (cone.angle < looks_same) cone.same_way = std::cos(looks_same - cone.angle);
  }
}

}  // namespace pliant
