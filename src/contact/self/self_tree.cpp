#include "contact/self/self_tree.h"

#include <cmath>

#include "core/parallel.h"

namespace pliant {
namespace {

constexpr int leaf_grain = 256;
constexpr double float_share = 2e-6;  // of the skin's extent: more than rounding

}  // namespace

void SelfTree::build(const Skin& skin, const SkinTree& tree, const std::vector<double>& apart) {
  leaves_.build(skin, tree);
  patches_.build(skin, tree, leaves_, apart);
}

void SelfTree::fit(const Skin& skin, const SkinTree& tree, const std::vector<Vec3>& way) {
  const auto nodes = tree.nodes();
  const Box& all = nodes[0].box;
  rounding_ = float_share * all.extent().maxCoeff();
  points_.fit(skin, all.centre(), way);
  leaves_.fit(points_);
  parts_.resize(nodes.size());
  parallel_for(tree.leaves(), leaf_grain, [&](int begin, int end) {
    for (int leaf = begin; leaf < end; ++leaf) {
      const auto corners = leaves_.corners(leaf);
      MovingBox& moving = parts_[tree.node(leaf)].moving;
      moving = {corners[0].place, corners[0].way};
      for (const auto& [place, way_there] : corners) moving.add({place, way_there});
    }
  });
  for (int n = int(nodes.size()) - 1; n >= 0; --n) {
    MovingPart& part = parts_[n];
    part.left = nodes[n].left, part.leaf = nodes[n].leaf;
    if (part.left < 0) continue;
    part.moving = parts_[part.left].moving;
    part.moving.add(parts_[part.left + 1].moving);
  }
  patches_.fit(skin, tree, leaves_, points_);
}

SelfTree::Relative SelfTree::relative(const MovingBox& a, const MovingBox& b) {
  const Four low = a.way_low - b.way_high, high = a.way_high - b.way_low;
  const Four gap = (a.low + low.min(0) - b.high).max(b.low - a.high - high.max(0)).max(0);
  return {(gap * gap).sum(), low.abs().max(high.abs())};
}

/// Looks at the parts of two parts that can meet, or of one that can meet itself: those that can
/// are open next, or found if they are leaves.
void SelfTree::look_into(int m, int n, const MotionReach& reach, float most_squared,
                         Search& search) const {
  const auto go_into = [&](int p, int q) {
    const MovingPart &a = parts_[p], &b = parts_[q];
    if (a.left < 0 && b.left < 0) search.pairs.push_back({a.leaf, b.leaf});
    else search.open.push_back({p, q});
  };
  const auto look_at_two = [&](int p, int q) {
    const Relative seen = relative(parts_[p].moving, parts_[q].moving);
    if (seen.squared > most_squared) return;
    const double way = seen.way(), far = reach.of(way) + rounding_;
    if (seen.squared > far * far) return;
    const auto enough = float(far + 0.5 * way);
    if (patches_.distance(p, q, enough) > enough) return;
    go_into(p, q);
  };
  const auto look_at = [&](int p) {
    const MovingBox& moving = parts_[p].moving;
    const double way = relative(moving, moving).way();
    if (patches_.distance(p) - 0.5 * way > reach.of(way) + rounding_) return;
    go_into(p, p);
  };
  const int left = parts_[m].left, other = parts_[n].left;
  if (m == n) {
    look_at(left);
    look_at(left + 1);
    look_at_two(left, left + 1);
  } else {
    // A leaf stands for its only part.
    const int first = left < 0 ? m : left, last = left < 0 ? m : left + 1;
    const int begin = other < 0 ? n : other, end = other < 0 ? n : other + 1;
    for (int p = first; p <= last; ++p)
      for (int q = begin; q <= end; ++q) look_at_two(p, q);
  }
}

std::span<const SelfTree::LeafPair> SelfTree::find_pairs(const MotionReach& reach) {
  const Relative of_any = relative(parts_[0].moving, parts_[0].moving);
  const double most = reach.of(of_any.way()) + rounding_;
  const auto most_squared = float(most * most);
  pairs_.clear();
  if (patches_.distance(0) - 0.5 * of_any.way() > most) return pairs_;
  open_.assign(1, {0, 0});
  if (parts_[0].left < 0) pairs_.push_back({0, 0}), open_.clear();
  // Level by level, until there is enough to share.
  constexpr int enough = 256, grain = 16;
  if (searches_.empty()) searches_.resize(1);
  while (!open_.empty() && int(open_.size()) < enough) {
    Search& search = searches_[0];
    search.clear();
    for (const auto& [m, n] : open_) look_into(m, n, reach, most_squared, search);
    pairs_.insert(pairs_.end(), search.pairs.begin(), search.pairs.end());
    open_.swap(search.open);
  }
  const int count = int(open_.size()), chunks = (count + grain - 1) / grain;
  if (int(searches_.size()) < chunks) searches_.resize(std::size_t(chunks));
  parallel_for(count, grain, [&](int begin, int end) {
    Search& search = searches_[begin / grain];
    search.clear();
    search.open.assign(open_.begin() + begin, open_.begin() + end);
    while (!search.open.empty()) {
      const auto [m, n] = search.open.back();
      search.open.pop_back();
      look_into(m, n, reach, most_squared, search);
    }
  });
  for (int c = 0; c < chunks; ++c)
    pairs_.insert(pairs_.end(), searches_[c].pairs.begin(), searches_[c].pairs.end());
  return pairs_;
}

SelfTree::Approach SelfTree::approach(std::span<const int> vertices, int node) const {
  const MovingBox& part = parts_[node].moving;
  MovingBox all(points_.place[vertices[0]], points_.way[vertices[0]]);
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
