#include "contact/own_body.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "contact/way.h"
#include "geometry/query/segments.h"

namespace pliant {
namespace {

// In mean edges. More makes longer lists, less makes them more often.
constexpr double slack = 0.7;  // how far things may be from where they were foreseen

// What goes further against each other is foreseen for less long than a step, or not for longer.
constexpr double most_way = 3, steady = 0.5;

constexpr double shivers = 0.2;  // of the slack, in a substep

constexpr std::size_t none = std::size_t(-1);

}  // namespace

void OwnBody::follow(const Body& body, double step, double h) {
  const bool known = active_ && revision_ == body.skin.revision;
  active_ = body.nodes.size() > 0 && !body.skin.triangles.empty();
  h_ = h;
  step_ = step;
  if (known) motion_.follow(body.nodes);
  outdated_ = !known || motion_.strayed(body.nodes, reach_.slack, h);
}

void OwnBody::list(const Body& body, const SkinShape& shape, const SkinTree& tree, double near) {
  const Skin& skin = body.skin;
  revision_ = skin.revision;
  reach_ = {2 * body.thickness, near, 1, shape.mean_edge, slack * shape.mean_edge};
  motion_.start_here(body.nodes, h_, step_,
                     {.most = most_way * shape.mean_edge,
                      .steady = steady * shape.mean_edge,
                      .near = reach_.most(),
                      .shivers = shivers * reach_.slack,
                      .spread = shape.spread});
  reach_.share = motion_.share();
  if (rest_.revision() != revision_) {
    rest_.build(skin, shape, tree, reach_.thickness);
    tree_.build(skin, tree, rest_.apart());
    may_meet_.clear();
    meetings_.clear();
  }
  way_.resize(skin.position.size());
  for (std::size_t v = 0; v < way_.size(); ++v)
    way_[v] = motion_.way(skin.position[v], skin.previous[v]) / reach_.share;
  tree_.fit(skin, tree, way_);
  ridges_.resize(std::size_t(tree.leaves()));
  ++listings_;
  found_.clear();
  edges_.clear();
  fastest_ = 0;
  for (const OwnLeaves::Pair& pair : tree_.find_pairs(tree, reach_)) {
    const std::uint8_t* may = may_meet(skin, shape, tree, pair.a, pair.b);
    if (!may) continue;
    const std::size_t own = tree.vertices(pair.a).size();
    if (pair.faces_b) list_vertices(skin, tree, pair.a, pair.b, may + 1);
    if (pair.faces_a && pair.a != pair.b) list_vertices(skin, tree, pair.b, pair.a, may + 1 + own);
    if (*may && pair.before_a && pair.before_b) list_edges(skin, shape, tree, pair.a, pair.b);
  }
  vertices_.take(found_);
  std::sort(edges_.begin(), edges_.end());
}

/// What of two leaves may ever touch, told by the shape at rest: found out once. One byte tells
/// whether any of their edges may; then follows one for each vertex of the first, with a bit for
/// each triangle of the second, and the other way round. None if nothing may.
const std::uint8_t* OwnBody::may_meet(const Skin& skin, const SkinShape& shape,
                                      const SkinTree& tree, int leaf, int other) {
  const auto key = std::uint64_t(leaf) * std::uint64_t(tree.leaves()) + std::uint64_t(other);
  const auto [entry, is_new] = may_meet_.try_emplace(key, none);
  if (!is_new) return entry->second == none ? nullptr : &meetings_[entry->second];
  const std::size_t start = meetings_.size();
  bool any = false;
  const auto edges_may = [&] {
    for (const int t : tree.triangles(leaf))
      for (const int u : tree.triangles(other))
        for (const int e : shape.edge_of_side[t])
          for (const int f : shape.edge_of_side[u])
            if (e != f && rest_.may_cross(skin, shape, e, f)) return true;
    return false;
  };
  meetings_.push_back(any = edges_may());
  for (const auto& [a, b] : {std::pair(leaf, other), std::pair(other, leaf)})
    for (const int v : tree.vertices(a)) {
      unsigned bits = 0, bit = 1;
      for (const int t : tree.triangles(b)) {
        if (rest_.may_touch(skin, v, t)) bits |= bit;
        bit <<= 1;
      }
      meetings_.push_back(std::uint8_t(bits));
      any = any || bits != 0;
    }
  if (!any) {
    meetings_.resize(start);
    return nullptr;
  }
  entry->second = start;
  return &meetings_[start];
}

/// `may_touch`: see above.
void OwnBody::list_vertices(const Skin& skin, const SkinTree& tree, int leaf, int other,
                            const std::uint8_t* may_touch) {
  const std::vector<Vec3>& p = skin.position;
  const int node = tree.node(other);
  const std::span<const int> triangles = tree.triangles(other);
  for (const int v : tree.vertices(leaf)) {
    const unsigned bits = *may_touch++;
    if (bits == 0) continue;
    const Vec3& x = p[v];
    const auto [box, way] = tree_.swept({x, x}, {way_[v], way_[v]}, node);
    const double far = reach_.of(way), behind = reach_.behind(way);
    if (squared_distance(box, tree.box(other)) > far * far) continue;
    LeafBoxes::Numbers squared;
    const auto furthest = float((1 + 1e-6) * far * far);
    unsigned near = tree.boxes(other).in_reach(box, furthest, squared) & bits;
    for (; near != 0; near &= near - 1) {
      const int t = triangles[std::size_t(std::countr_zero(near))];
      if (!tree_.may_face(v, t)) continue;
      const auto& [i, j, k] = skin.triangles[t];
      if (tree_.face(t).dot(x - p[i]) < -behind) continue;
      const double distance = closest_on_triangle(x, p[i], p[j], p[k]).distance;
      if (distance > far + way) continue;
      found_.push_back({v, t, rounded_down(distance)});
      fastest_ = std::max(fastest_, way);
    }
  }
}

/// Edges of a leaf that are sharp, or open.
const std::vector<int>& OwnBody::ridges(const SkinShape& shape, const SkinTree& tree, int leaf) {
  auto& [edges, listing] = ridges_[leaf];
  if (listing == listings_) return edges;
  listing = listings_;
  edges.clear();
  for (const int t : tree.triangles(leaf))
    for (const int e : shape.edge_of_side[t])  // once, not from both its triangles
      if (shape.edges[e].face[0] == t && tree_.is_ridge(shape.edges[e])) edges.push_back(e);
  return edges;
}

void OwnBody::list_edges(const Skin& skin, const SkinShape& shape, const SkinTree& tree, int leaf,
                         int other) {
  const std::vector<Vec3>& p = skin.position;
  const int node = tree.node(other);
  const std::vector<int>& others = ridges(shape, tree, other);
  if (others.empty()) return;
  for (const int e : ridges(shape, tree, leaf)) {
    const SkinShape::Edge& edge = shape.edges[e];
    Box box, ways;
    for (const int v : edge.vertex) box.add(p[v]), ways.add(way_[v]);
    const auto [there, way] = tree_.swept(box, ways, node);
    const double far = reach_.of(way);
    if (squared_distance(there, tree.box(other)) > far * far) continue;
    for (const int f : others) {
      if (leaf == other && f <= e) continue;
      const SkinShape::Edge& opposite = shape.edges[f];
      Box their;
      for (const int v : opposite.vertex) their.add(p[v]);
      if (squared_distance(there, their) > far * far || !tree_.may_face(edge, opposite)) continue;
      const auto [i, j] = edge.vertex;
      const auto [k, l] = opposite.vertex;
      if (closest_between_segments(p[i], p[j], p[k], p[l]).distance > far + way) continue;
      if (!rest_.may_cross(skin, shape, e, f)) continue;
      edges_.push_back({std::min(e, f), std::max(e, f)});
      fastest_ = std::max(fastest_, way);
    }
  }
}

void OwnBody::set_motion(SkinPair& pair) const {
  pair.near = pair.depth = reach_.near;
  pair.moved = fastest_ + reach_.slack;
  pair.travel = fastest_ * motion_.share() + motion_.step_off();
  pair.most_way = reach_.most_way;
}

void OwnBody::look(const SkinPair& pair, int k, SkinPair::Near& near_by,
                   std::vector<Contact>& found) {
  if (k < vertices_.count()) {
    pair.touch(vertices_.vertex[k], vertices_.candidates(k), vertices_.last[k], near_by, found);
  } else {
    const auto& [e, f] = edges_[k - vertices_.count()];
    pair.cross(e, f, found);
  }
}

}  // namespace pliant
