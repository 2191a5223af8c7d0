#include "contact/own_tree.h"

#include <cmath>

namespace pliant {
namespace {

constexpr double float_share = 2e-6;  // of the skin's extent: more than rounding

}  // namespace

void OwnTree::build(const Skin& skin, const SkinTree& tree, const std::vector<double>& apart) {
  leaves_.build(skin, tree);
  patches_.build(skin, tree, leaves_, apart);
}

void OwnTree::fit(const Skin& skin, const SkinTree& tree, const std::vector<Vec3>& way) {
  const auto nodes = tree.nodes();
  const Box& all = nodes[0].box;
  rounding_ = float_share * all.extent().maxCoeff();
  points_.fit(skin, all.centre(), way);
  leaves_.fit(points_);
  parts_.resize(nodes.size());
  for (std::size_t n = 0; n < nodes.size(); ++n)
    parts_[n].left = nodes[n].left, parts_[n].leaf = nodes[n].leaf;
  for (int n = int(nodes.size()) - 1; n >= 0; --n) {
    Moving& moving = parts_[n].moving;
    if (nodes[n].left >= 0) {
      moving = parts_[nodes[n].left].moving;
      moving.add(parts_[nodes[n].left + 1].moving);
    } else {
      const auto corners = leaves_.corners(nodes[n].leaf);
      moving = {corners[0].place, corners[0].way};
      for (const auto& [place, way_there] : corners) moving.add({place, way_there});
    }
  }
  patches_.fit(skin, tree, leaves_, points_);
}

OwnTree::Relative OwnTree::relative(const Moving& a, const Moving& b) {
  const Four low = a.way_low - b.way_high, high = a.way_high - b.way_low;
  const Four gap = (a.low + low.min(0) - b.high).max(b.low - a.high - high.max(0)).max(0);
  return {(gap * gap).sum(), low.abs().max(high.abs())};
}

std::span<const OwnTree::Pair> OwnTree::find_pairs(const Reach& reach) {
  pairs_.clear();
  open_.clear();
  const double most =
      reach.of(relative(parts_[0].moving, parts_[0].moving).way()) + rounding_;  // of any two
  const auto most_squared = float(most * most);
  const auto go_into = [&](int m, int n) {
    const Part &a = parts_[m], &b = parts_[n];
    if (a.left < 0 && b.left < 0) pairs_.push_back({a.leaf, b.leaf});
    else open_.push_back({m, n});
  };
  const auto look_at = [&](int m, int n) {
    const Part &a = parts_[m], &b = parts_[n];
    const Relative relative = OwnTree::relative(a.moving, b.moving);
    if (relative.squared > most_squared) return;
    const double way = relative.way(), far = reach.of(way) + rounding_;
    if (relative.squared > far * far) return;
    if (patches_.distance(m, n) - way > far) return;
    go_into(m, n);
  };
  const auto look_into = [&](int m) {
    const Moving& moving = parts_[m].moving;
    const double way = relative(moving, moving).way();
    if (patches_.distance(m) - way > reach.of(way) + rounding_) return;
    go_into(m, m);
  };
  look_into(0);
  while (!open_.empty()) {
    const auto [m, n] = open_.back();
    open_.pop_back();
    const int left = parts_[m].left, other = parts_[n].left;
    if (m == n) {
      look_into(left);
      look_into(left + 1);
      look_at(left, left + 1);
    } else {
      // A leaf stands for its only part.
      const int first = left < 0 ? m : left, last = left < 0 ? m : left + 1;
      const int begin = other < 0 ? n : other, end = other < 0 ? n : other + 1;
      for (int p = first; p <= last; ++p)
        for (int q = begin; q <= end; ++q) look_at(p, q);
    }
  }
  return pairs_;
}

OwnTree::Passing OwnTree::passing(std::span<const int> vertices, int node) const {
  const Moving& part = parts_[node].moving;
  Moving all(points_.place[vertices[0]], points_.way[vertices[0]]);
  for (const int v : vertices.subspan(1)) all.add({points_.place[v], points_.way[v]});
  const Relative seen = relative(all, part);
  const auto in_world = [&](const Four& p) {
    return Vec3(points_.origin + p.head<3>().matrix().cast<double>());
  };
  return {{in_world(all.low + (all.way_low - part.way_high).min(0)),
           in_world(all.high + (all.way_high - part.way_low).max(0))},
          std::sqrt(seen.squared) - rounding_,
          seen.way() + rounding_};
}

}  // namespace pliant
