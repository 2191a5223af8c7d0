#include "contact/own_tree.h"

#include <cmath>
#include <numbers>

#include "core/parallel.h"

namespace pliant {
namespace {

constexpr float pi = std::numbers::pi_v<float>;
constexpr double looks_away = 1.77;  // [rad] 101 degrees: cosine -0.2, see SkinPair
constexpr double turning = 0.5;      // [rad] by which normals may turn before the next fit
constexpr double widest = looks_away - 2 * turning;  // [rad] between what looks the same way
constexpr double float_share = 2e-6;                 // of the skin's extent: more than rounding

float angle_of(float cosine) { return std::acos(std::clamp(cosine, -1.0f, 1.0f)); }

Eigen::Array4f four(const Vec3& v) { return {float(v.x()), float(v.y()), float(v.z()), 0.0f}; }

}  // namespace

const double OwnTree::widest_cosine = std::cos(widest);

void OwnTree::build(const Skin& skin, const SkinTree& tree, const std::vector<double>& apart) {
  leaves_.build(skin, tree);
  patches_.build(skin, tree, leaves_, apart);
}

void OwnTree::fit(const Skin& skin, const SkinTree& tree, const std::vector<Vec3>& way) {
  const auto nodes = tree.nodes();
  const Box& all = nodes[0].box;
  origin_ = all.centre();
  rounding_ = float_share * all.extent().maxCoeff();
  fit_normals(skin);
  parts_.resize(nodes.size());
  parallel_for(tree.leaves(), 128, [&](int begin, int end) {
    for (int leaf = begin; leaf < end; ++leaf)
      fit_leaf(skin, tree, leaf, way, parts_[tree.node(leaf)]);
  });
  for (int n = int(nodes.size()) - 1; n >= 0; --n)
    if (nodes[n].left >= 0) fit_inner(parts_[nodes[n].left], parts_[nodes[n].left + 1], parts_[n]);
  leaves_.fit(skin, tree, origin_, faces_, corners_);
  axes_.resize(std::size_t(tree.leaves()));
  for (int leaf = 0; leaf < tree.leaves(); ++leaf)
    axes_[leaf] = parts_[tree.node(leaf)].axis.head<3>();
  patches_.fit(tree, leaves_, axes_);
}

void OwnTree::fit_normals(const Skin& skin) {
  const std::vector<Vec3>& p = skin.position;
  faces_.resize(skin.triangles.size());
  corners_.assign(p.size(), Vec3::Zero());
  for (std::size_t t = 0; t < faces_.size(); ++t) {
    const auto [i, j, k] = skin.triangles[t];
    const Vec3 area = (p[j] - p[i]).cross(p[k] - p[i]);
    for (const int v : {i, j, k}) corners_[v] += area;
    faces_[t] = area.normalized();
  }
  for (Vec3& normal : corners_) normal.normalize();
}

void OwnTree::set_cone(float angle, Part& part) {
  part.angle = std::min(angle, pi);
  part.cosine = std::cos(part.angle);
  part.sine = std::sin(part.angle);
  part.chord = 2 * std::sin(0.5f * part.angle);
}

void OwnTree::fit_leaf(const Skin& skin, const SkinTree& tree, int leaf,
                       const std::vector<Vec3>& way, Part& part) const {
  const Box& box = tree.box(leaf);
  part.low = four(box.low - origin_);
  part.high = four(box.high - origin_);
  Vec3 axis = Vec3::Zero();
  Box ways;
  double longest = 0;
  for (const int t : tree.triangles(leaf)) {
    axis += faces_[t];
    const auto [i, j, k] = skin.triangles[t];
    const Vec3 &p = skin.position[i], &q = skin.position[j], &r = skin.position[k];
    longest =
        std::max({longest, (p - q).squaredNorm(), (q - r).squaredNorm(), (r - p).squaredNorm()});
    for (const int v : {i, j, k}) ways.add(way[v]);
  }
  part.longest = float(std::sqrt(longest));
  part.way_low = four(ways.low);
  part.way_high = four(ways.high);
  const double length = axis.norm();
  part.axis = four(Vec3::UnitY());
  if (!(length > 0.1)) return set_cone(pi, part);
  axis /= length;
  part.axis = four(axis);
  double least = 1;
  for (const int t : tree.triangles(leaf)) {
    least = std::min(least, axis.dot(faces_[t]));
    for (const int v : skin.triangles[t]) least = std::min(least, axis.dot(corners_[v]));
  }
  set_cone(angle_of(float(least)), part);
}

void OwnTree::fit_inner(const Part& a, const Part& b, Part& part) {
  part.low = a.low.min(b.low);
  part.high = a.high.max(b.high);
  part.way_low = a.way_low.min(b.way_low);
  part.way_high = a.way_high.max(b.way_high);
  const Four axis = a.axis + b.axis;
  const float length = axis.matrix().norm();
  part.axis = four(Vec3::UnitY());
  if (!(length > 0.1f) || a.angle + b.angle > 3) return set_cone(pi, part);
  part.axis = axis / length;
  set_cone(0.5f * angle_of(a.axis.matrix().dot(b.axis.matrix())) + std::max(a.angle, b.angle),
           part);
}

bool OwnTree::look_same(const Part& a, const Part& b) {
  if (a.angle + b.angle >= float(widest)) return false;
  // The angle between the axes against what the two leave of `widest`.
  static const float cosine = std::cos(float(widest)), sine = std::sin(float(widest));
  return a.axis.matrix().dot(b.axis.matrix()) > cosine * (a.cosine * b.cosine - a.sine * b.sine) +
                                                    sine * (a.sine * b.cosine + a.cosine * b.sine);
}

OwnTree::Relative OwnTree::relative(const Part& a, const Part& b) {
  const Four low = a.way_low - b.way_high, high = a.way_high - b.way_low;
  const Four gap = (a.low + low.min(0) - b.high).max(b.low - a.high - high.max(0)).max(0);
  return {gap.matrix().squaredNorm(), low.abs().max(high.abs()).matrix().norm()};
}

OwnLeaves::Pair OwnTree::pair_of(const SkinTree& tree, int leaf, int other, double way,
                                 const Reach& reach) const {
  // The ends of edges may be so much further away.
  const double half =
      0.5 * std::max(parts_[tree.node(leaf)].longest, parts_[tree.node(other)].longest);
  return {leaf, other, float(reach.of(way) + way + half + rounding_),
          float(reach.behind(way) + rounding_)};
}

std::span<const OwnLeaves::Pair> OwnTree::find_pairs(const SkinTree& tree, const Reach& reach) {
  const auto nodes = tree.nodes();
  pairs_.clear();
  open_.assign(1, {0, 0});
  while (!open_.empty()) {
    const auto [m, n] = open_.back();
    open_.pop_back();
    const Part &a = parts_[m], &b = parts_[n];
    const int left = nodes[m].left;
    if (m == n) {
      if (2 * a.angle < float(widest)) continue;
      const double way = relative(a, a).way;
      if (patches_.distance(m) - way > reach.of(way) + rounding_) continue;
      if (left < 0) pairs_.push_back(pair_of(tree, nodes[m].leaf, nodes[m].leaf, way, reach));
      else open_.insert(open_.end(), {{left, left}, {left + 1, left + 1}, {left, left + 1}});
      continue;
    }
    const auto [squared, way] = relative(a, b);
    const double far = reach.of(way) + rounding_;
    if (squared > far * far) continue;
    if (patches_.distance(m, n) - way > far) continue;
    if (look_same(a, b)) continue;
    const int other = nodes[n].left;
    if (left < 0 && other < 0)
      pairs_.push_back(pair_of(tree, nodes[m].leaf, nodes[n].leaf, way, reach));
    else if (other < 0) open_.insert(open_.end(), {{left, n}, {left + 1, n}});
    else if (left < 0) open_.insert(open_.end(), {{m, other}, {m, other + 1}});
    else
      open_.insert(open_.end(),
                   {{left, other}, {left, other + 1}, {left + 1, other}, {left + 1, other + 1}});
  }
  leaves_.compare(tree, pairs_, widest_cosine);
  std::erase_if(pairs_, [](const OwnLeaves::Pair& p) { return !p.faces_a && !p.faces_b; });
  return pairs_;
}

OwnTree::Swept OwnTree::swept(const Box& box, const Box& ways, int node) const {
  const Part& part = parts_[node];
  const Vec3 low = ways.low - part.way_high.head<3>().matrix().cast<double>();
  const Vec3 high = ways.high - part.way_low.head<3>().matrix().cast<double>();
  return {{box.low + low.cwiseMin(0), box.high + high.cwiseMax(0)},
          low.cwiseAbs().cwiseMax(high.cwiseAbs()).norm() + rounding_};
}

/// Edges look as their faces do, on both sides.
bool OwnTree::may_face(const SkinShape::Edge& edge, const SkinShape::Edge& other) const {
  for (const int t : edge.face)
    for (const int u : other.face)
      if (t >= 0 && u >= 0 && faces_[t].dot(faces_[u]) < widest_cosine) return true;
  return false;
}

}  // namespace pliant
