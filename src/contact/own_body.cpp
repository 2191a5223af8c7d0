#include "contact/own_body.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "contact/way.h"
#include "core/parallel.h"
#include "geometry/query/segments.h"

namespace pliant {
namespace {

// How far things may be from where they were foreseen, in mean edges. More makes longer lists, less
// makes them more often: the first where much of a body comes near itself, the second elsewhere.
constexpr double short_slack = 0.7, long_slack = 1.2;

// What goes further against each other is foreseen for less long than a step, or not for longer.
constexpr double most_way = 3, steady = 0.5;

constexpr double shivers = 0.2;  // of the slack, in a substep

constexpr int grain = 256;  // pairs of leaves

/// Whether an edge is open, or so sharp that it must be kept from crossing others: flatter ones are
/// held by the vertices around, to an eighth of their length or so.
bool is_sharp(const SkinShape& shape, const Bends& bends, int edge) {
  constexpr double sharp = 0.8;                         // cosine of 37 degrees between its faces
  if (bends.of_edge[edge] == Bend::flat) return false;  // most are
  const auto& [first, second] = shape.edges[edge].face;
  return second < 0 || bends.normal[first].dot(bends.normal[second]) <= sharp;
}

}  // namespace

void OwnBody::start_step(const Skin& skin, const SkinShape& shape, const SkinTree& tree,
                         const Bends& bends) {
  if (!active_ || revision_ != skin.revision) return;
  motion_.doubt();
  bent_ = std::any_of(edged_.begin(), edged_.end(), [&](int leaf) {
    take_ridges(shape, tree, bends, leaf, ridges_now_);
    return ridges_now_ != ridges_[leaf];
  });
}

void OwnBody::follow(const Body& body, double step, double h, double way, double went) {
  const bool known = active_ && revision_ == body.skin.revision;
  active_ = body.nodes.size() > 0 && !body.skin.triangles.empty();
  h_ = h;
  step_ = step;
  if (known) motion_.follow(way, went);
  outdated_ = !known || bent_ || motion_.strayed(body.skin.size(), reach_.slack, h);
}

void OwnBody::look_again(const Skin& skin) {
  if (!is_outdated() || revision_ != skin.revision) return;
  motion_.look({skin.position, skin.previous}, reach_.slack);
  outdated_ = bent_ || motion_.strayed(skin.size(), reach_.slack, h_);
}

void OwnBody::list(const Body& body, const SkinShape& shape, const SkinTree& tree,
                   const Bends& bends, double near) {
  const Skin& skin = body.skin;
  revision_ = skin.revision;
  bent_ = false;
  const bool creased = int(pairs_.size()) > tree.leaves();  // when it was last listed
  const double slack = creased ? short_slack : long_slack;
  reach_ = {2 * body.thickness, near, 1, shape.mean_edge, slack * shape.mean_edge};
  motion_.start_here({skin.position, skin.previous}, h_, step_,
                     {.most = most_way * shape.mean_edge,
                      .steady = steady * shape.mean_edge,
                      .near = reach_.most(),
                      .shivers = shivers * reach_.slack});
  reach_.share = motion_.share();
  if (rest_.revision() != revision_) {
    rest_.build(skin, shape, tree, reach_.thickness);
    tree_.build(skin, tree, rest_.apart());
    meetings_.clear();
  }
  motion_.take_ways(way_);
  tree_.fit(skin, tree, way_);
  const std::span<const OwnTree::Pair> near_pairs = tree_.find_pairs(reach_);
  meetings_.find(skin, shape, tree, rest_, near_pairs, places_);
  pairs_.clear();
  for (std::size_t i = 0; i < near_pairs.size(); ++i)
    if (places_[i] != OwnMeetings::none)
      pairs_.push_back({near_pairs[i].a, near_pairs[i].b, places_[i]});
  found_.clear();
  edges_.clear();
  fastest_ = 0;
  find_ridges(shape, tree, bends);
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
    const auto& [a, b, meeting] = pairs_[p];
    const std::uint8_t* may = meetings_.at(meeting);
    const std::size_t own = tree.vertices(a).size();
    list_vertices(skin, tree, a, b, may + 1, listed);
    if (a != b) list_vertices(skin, tree, b, a, may + 1 + own, listed);
    if (may_cross(pairs_[p])) list_edges(skin, shape, tree, a, b, listed);
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
    const auto [box, least, way] = tree_.passing({&v, 1}, node);
    const double far = reach_.of(way);
    if (least > far) continue;
    const Vec3& x = p[v];
    LeafBoxes::Numbers squared;
    const auto furthest = float((1 + 1e-6) * far * far);
    unsigned near = tree.boxes(other).in_reach(box, furthest, squared) & bits;
    for (; near != 0; near &= near - 1) {
      const int t = triangles[std::size_t(std::countr_zero(near))];
      const auto& [i, j, k] = skin.triangles[t];
      const double distance = closest_on_triangle(x, p[i], p[j], p[k]).distance;
      if (distance > far + way) continue;
      listed.vertices.push_back({v, t, rounded_down(distance)});
      listed.fastest = std::max(listed.fastest, way);
    }
  }
}

/// Whether edges of the two leaves can cross.
bool OwnBody::may_cross(const Pair& pair) const { return *meetings_.at(pair.meeting); }

void OwnBody::take_ridges(const SkinShape& shape, const SkinTree& tree, const Bends& bends,
                          int leaf, std::vector<int>& ridges) {
  ridges.clear();
  shape.for_edges_of(tree.triangles(leaf), [&](int e) {
    if (is_sharp(shape, bends, e)) ridges.push_back(e);
  });
}

/// Edges that are sharp, or open, of the leaves whose edges can cross others.
void OwnBody::find_ridges(const SkinShape& shape, const SkinTree& tree, const Bends& bends) {
  ridges_.resize(std::size_t(tree.leaves()));
  is_edged_.assign(std::size_t(tree.leaves()), 0);
  edged_.clear();
  for (const Pair& pair : pairs_) {
    if (!may_cross(pair)) continue;
    for (const int leaf : {pair.a, pair.b}) {
      if (is_edged_[leaf]) continue;
      is_edged_[leaf] = 1;
      edged_.push_back(leaf);
    }
  }
  parallel_for(int(edged_.size()), 64, [&](int begin, int end) {
    for (int k = begin; k < end; ++k)
      take_ridges(shape, tree, bends, edged_[k], ridges_[edged_[k]]);
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
    const auto [there, least, way] = tree_.passing(edge.vertex, node);
    const double far = reach_.of(way);
    if (least > far) continue;
    for (const int f : others) {
      if (leaf == other && f <= e) continue;
      const SkinShape::Edge& opposite = shape.edges[f];
      Box their;
      for (const int v : opposite.vertex) their.add(p[v]);
      if (squared_distance(there, their) > far * far) continue;
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
