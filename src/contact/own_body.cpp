#include "contact/own_body.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "contact/way.h"
#include "core/parallel.h"
#include "geometry/query/segments.h"

namespace pliant {
namespace {

// In mean edges. More makes longer lists, less makes them more often.
constexpr double slack = 0.7;  // how far things may be from where they were foreseen

// What goes further against each other is foreseen for less long than a step, or not for longer.
constexpr double most_way = 3, steady = 0.5;

constexpr double shivers = 0.2;  // of the slack, in a substep

constexpr int grain = 256;  // pairs of leaves

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
    meetings_.clear();
  }
  way_.resize(skin.position.size());
  for (std::size_t v = 0; v < way_.size(); ++v)
    way_[v] = motion_.way(skin.position[v], skin.previous[v]) / reach_.share;
  tree_.fit(skin, tree, way_);
  pairs_.clear();
  for (const OwnLeaves::Pair& pair : tree_.find_pairs(tree, reach_)) {
    const std::size_t meeting = meetings_.find(skin, shape, tree, rest_, pair.a, pair.b);
    if (meeting != OwnMeetings::none) pairs_.push_back({pair, meeting});
  }
  found_.clear();
  edges_.clear();
  fastest_ = 0;
  if (!pairs_.empty()) find_ridges(shape, tree);
  const int count = int(pairs_.size()), parts = (count + grain - 1) / grain;
  if (int(listed_.size()) < parts) listed_.resize(std::size_t(parts));
  parallel_for(count, grain, [&](int begin, int end) {
    list_pairs(skin, shape, tree, begin, end, listed_[begin / grain]);
  });
  for (int part = 0; part < parts; ++part) {
    const Listed& listed = listed_[part];
    found_.insert(found_.end(), listed.vertices.begin(), listed.vertices.end());
    edges_.insert(edges_.end(), listed.edges.begin(), listed.edges.end());
    fastest_ = std::max(fastest_, listed.fastest);
  }
  vertices_.take(found_);
  std::sort(edges_.begin(), edges_.end());
}

void OwnBody::list_pairs(const Skin& skin, const SkinShape& shape, const SkinTree& tree, int begin,
                         int end, Listed& listed) const {
  listed.vertices.clear();
  listed.edges.clear();
  listed.fastest = 0;
  for (int p = begin; p < end; ++p) {
    const auto& [pair, meeting] = pairs_[p];
    const std::uint8_t* may = meetings_.at(meeting);
    const std::size_t own = tree.vertices(pair.a).size();
    if (pair.faces_b) list_vertices(skin, tree, pair.a, pair.b, may + 1, listed);
    if (pair.faces_a && pair.a != pair.b)
      list_vertices(skin, tree, pair.b, pair.a, may + 1 + own, listed);
    if (*may && pair.before_a && pair.before_b)
      list_edges(skin, shape, tree, pair.a, pair.b, listed);
  }
}

/// `may_touch`: of each vertex, see OwnMeetings.
void OwnBody::list_vertices(const Skin& skin, const SkinTree& tree, int leaf, int other,
                            const std::uint8_t* may_touch, Listed& listed) const {
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
      listed.vertices.push_back({v, t, rounded_down(distance)});
      listed.fastest = std::max(listed.fastest, way);
    }
  }
}

/// Edges of each leaf that are sharp, or open.
void OwnBody::find_ridges(const SkinShape& shape, const SkinTree& tree) {
  ridges_.resize(std::size_t(tree.leaves()));
  parallel_for(tree.leaves(), grain, [&](int begin, int end) {
    for (int leaf = begin; leaf < end; ++leaf) {
      ridges_[leaf].clear();
      for (const int t : tree.triangles(leaf))
        for (const int e : shape.edge_of_side[t])  // once, not from both its triangles
          if (shape.edges[e].face[0] == t && tree_.is_ridge(shape.edges[e]))
            ridges_[leaf].push_back(e);
    }
  });
}

void OwnBody::list_edges(const Skin& skin, const SkinShape& shape, const SkinTree& tree, int leaf,
                         int other, Listed& listed) const {
  const std::vector<Vec3>& p = skin.position;
  const int node = tree.node(other);
  const std::vector<int>& others = ridges_[other];
  if (others.empty()) return;
  for (const int e : ridges_[leaf]) {
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
      listed.edges.push_back({std::min(e, f), std::max(e, f)});
      listed.fastest = std::max(listed.fastest, way);
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
