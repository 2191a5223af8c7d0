#include "contact/self/self_lists.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "contact/motion/displacement.h"
#include "core/assert.h"
#include "core/parallel.h"
#include "geometry/query/segments.h"

namespace pliant {
namespace {

// How far things may be from where they were foreseen, in mean edges. More makes longer lists, less
// makes them more often: the first where much of a body comes near itself, the second elsewhere.
constexpr double short_slack = 0.7, long_slack = 1.2;

// What goes further against each other is foreseen for less long than a step, or not for longer.
constexpr double most_way = 3, steady = 0.5;

// Of the slack, in a substep: what goes further does not count as vibrating. Without this bound
// lists of bodies that crumple miss contacts (self_contacts_test).
constexpr double shivers = 0.2;

constexpr int grain = 256;  // pairs of leaves

/// Whether a ridge is open, or so sharp that it must be kept from crossing others: flatter ones are
/// held by the vertices around, to an eighth of their length or so.
bool is_sharp(const SkinTopology& topology, const Creases& creases, int edge) {
  constexpr double sharp = 0.8;  // cosine of 37 degrees between its faces
  const auto& [first, second] = topology.edges[edge].face;
  return second < 0 || creases.normal[first].dot(creases.normal[second]) <= sharp;
}

}  // namespace

void SelfLists::start_step(const Skin& skin, int index, const ContactSurfaces& surfaces,
                           double moved) {
  knows_ridges_ = false;
  path_ += moved;
  if (!active_ || revision_ != skin.revision) return;
  motion_.doubt();
  std::swap(ridges_, old_ridges_);
  find_ridges(index, surfaces);
  bent_ = has_other_crossings();
}

void SelfLists::follow(const Body& body, double step, double h, double way, double went) {
  const bool known = active_ && revision_ == body.skin.revision;
  active_ = body.nodes.size() > 0 && !body.skin.triangles.empty();
  h_ = h;
  step_ = step;
  path_ += went;
  if (known) motion_.follow(way, went);
  outdated_ = !known || bent_ || motion_.strayed(body.skin.size(), h);
}

void SelfLists::look_again(const Skin& skin) {
  if (!is_outdated() || revision_ != skin.revision) return;
  motion_.look({skin.position, skin.previous});
  outdated_ = bent_ || motion_.strayed(skin.size(), h_);
}

void SelfLists::list(const Body& body, int index, const ContactSurfaces& surfaces, double near) {
  const Skin& skin = body.skin;
  const SkinTopology& topology = surfaces.topology(index);
  const SkinTree& tree = surfaces.tree(index);
  if (revision_ != skin.revision) knows_ridges_ = false;
  revision_ = skin.revision;
  bent_ = false;
  const double slack = creased_ ? short_slack : long_slack;  // as it was last listed
  ASSERT(active_ && h_ > 0, "lists are made within a substep of a body that deforms");
  reach_ = {2 * body.thickness, near, 1, topology.mean_edge, slack * topology.mean_edge};
  motion_.start_here({skin.position, skin.previous}, h_, step_,
                     {.most = most_way * topology.mean_edge,
                      .steady = steady * topology.mean_edge,
                      .near = reach_.most(),
                      .shivers = shivers * reach_.slack,
                      .slack = reach_.slack});
  reach_.share = motion_.share();
  if (rest_exclusions_.revision() != revision_) {
    rest_exclusions_.build(skin, topology, tree, reach_.thickness);
    tree_.build(skin, tree, rest_exclusions_.apart());
    exclusions_.clear();
  }
  motion_.take_ways(way_);
  tree_.fit(skin, tree, way_);
  const std::span<const SelfTree::LeafPair> near_each_other = tree_.find_pairs(reach_);
  pairs_.assign(near_each_other.begin(), near_each_other.end());
  exclusions_.find(skin, tree, rest_exclusions_, pairs_, exclusion_of_);
  if (!knows_ridges_) find_ridges(index, surfaces);
  find_crossings(skin, topology, tree);
  creased_ = std::count_if(exclusion_of_.begin(), exclusion_of_.end(),
                           [&](int m) { return exclusions_.touches(m); }) > tree.leaves();
  found_.clear();
  edges_.clear();
  fastest_ = path_ = 0;
  const int count = int(pairs_.size()), parts = (count + grain - 1) / grain;
  if (int(listed_.size()) < parts) listed_.resize(std::size_t(parts));
  parallel_for(count, grain, [&](int begin, int end) {
    list_pairs(skin, topology, tree, begin, end, listed_[begin / grain]);
  });
  for (int part = 0; part < parts; ++part) {
    const FoundFeatures& listed = listed_[part];
    found_.insert(found_.end(), listed.vertices.begin(), listed.vertices.end());
    edges_.insert(edges_.end(), listed.edges.begin(), listed.edges.end());
    fastest_ = std::max(fastest_, listed.fastest);
  }
  vertices_.take(found_, skin.size(), workspace_);
  std::sort(edges_.begin(), edges_.end());
}

void SelfLists::list_pairs(const Skin& skin, const SkinTopology& topology, const SkinTree& tree,
                           int begin, int end, FoundFeatures& listed) const {
  listed.vertices.clear();
  listed.edges.clear();
  listed.fastest = 0;
  for (int p = begin; p < end; ++p) {
    const auto& [a, b] = pairs_[p];
    if (const std::uint8_t* may = exclusions_.touches(exclusion_of_[p])) {
      list_vertices(skin, tree, a, b, may, listed);
      if (a != b) list_vertices(skin, tree, b, a, may + tree.vertices(a).size(), listed);
    }
    if (have_ridges(pairs_[p]) &&
        exclusions_.crossing(exclusion_of_[p]) == ExclusionCache::Crossing::may)
      list_edges(skin, topology, tree, a, b, listed);
  }
}

/// `may_touch`: of each vertex, see ExclusionCache.
void SelfLists::list_vertices(const Skin& skin, const SkinTree& tree, int leaf, int other,
                              const std::uint8_t* may_touch, FoundFeatures& listed) const {
  const std::vector<Vec3>& p = skin.position;
  const int node = tree.node(other);
  const std::span<const int> triangles = tree.triangles(other);
  for (const int v : tree.vertices(leaf)) {
    const unsigned bits = *may_touch++;
    if (bits == 0) continue;
    const auto [box, least, way] = tree_.approach({&v, 1}, node);
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

/// Edges that are sharp, or open: they can cross others.
void SelfLists::find_ridges(int index, const ContactSurfaces& surfaces) {
  const SkinTopology& topology = surfaces.topology(index);
  ridges_.take(surfaces.ridges(index),
               [&](int e) { return is_sharp(topology, surfaces.creases(index), e); });
  knows_ridges_ = true;
}

bool SelfLists::have_ridges(const SelfTree::LeafPair& pair) const {
  return !ridges_.of(pair.a).empty() && !ridges_.of(pair.b).empty();
}

/// Whether leaves that came near each other have sharp edges that they had not in the step before,
/// or the other way round, which may cross.
bool SelfLists::has_other_crossings() const {
  if (old_ridges_.leaves() != ridges_.leaves()) return true;
  for (std::size_t p = 0; p < pairs_.size(); ++p) {
    const auto& [a, b] = pairs_[p];
    if (exclusions_.crossing(exclusion_of_[p]) == ExclusionCache::Crossing::never) continue;
    const bool had_ridges = !old_ridges_.of(a).empty() && !old_ridges_.of(b).empty();
    if (!had_ridges && !have_ridges(pairs_[p])) continue;
    if (!ridges_.is_same(a, old_ridges_) || !ridges_.is_same(b, old_ridges_)) return true;
  }
  return false;
}

/// Where there are sharp edges, finds out whether they may ever cross.
void SelfLists::find_crossings(const Skin& skin, const SkinTopology& topology,
                               const SkinTree& tree) {
  unknown_.clear();
  for (int p = 0; p < int(pairs_.size()); ++p)
    if (have_ridges(pairs_[p]) &&
        exclusions_.crossing(exclusion_of_[p]) == ExclusionCache::Crossing::unknown)
      unknown_.push_back(p);
  parallel_for(int(unknown_.size()), 16, [&](int begin, int end) {
    for (int k = begin; k < end; ++k)
      exclusions_.find_crossing(skin, topology, tree, rest_exclusions_, pairs_[unknown_[k]],
                                exclusion_of_[unknown_[k]]);
  });
}

void SelfLists::list_edges(const Skin& skin, const SkinTopology& topology, const SkinTree& tree,
                           int leaf, int other, FoundFeatures& listed) const {
  const std::vector<Vec3>& p = skin.position;
  const int node = tree.node(other);
  const std::span<const int> others = ridges_.of(other);
  for (const int e : ridges_.of(leaf)) {
    const SkinTopology::Edge& edge = topology.edges[e];
    const auto [there, least, way] = tree_.approach(edge.vertex, node);
    const double far = reach_.of(way);
    if (least > far) continue;
    for (const int f : others) {
      if (leaf == other && f <= e) continue;
      const SkinTopology::Edge& opposite = topology.edges[f];
      Box their;
      for (const int v : opposite.vertex) their.add(p[v]);
      if (squared_distance(there, their) > far * far) continue;
      const auto [i, j] = edge.vertex;
      const auto [k, l] = opposite.vertex;
      if (closest_between_segments(p[i], p[j], p[k], p[l]).distance > far + way) continue;
      if (!rest_exclusions_.may_cross(skin, topology, e, f)) continue;
      listed.edges.push_back({std::min(e, f), std::max(e, f), 0});
      listed.fastest = std::max(listed.fastest, way);
    }
  }
}

void SelfLists::set_motion(SkinPair& pair) const {
  pair.near = pair.depth = reach_.near;
  pair.moved = fastest_ + reach_.slack;
  pair.travel = fastest_ * motion_.share() + motion_.step_off();
  pair.most_way = reach_.most_way;
}

void SelfLists::look(const SkinPair& pair, int first, int stop, SkinPair::VertexNeighbours& near_by,
                     std::vector<Contact>& found) {
  ASSERT(pair.one_body() && first >= 0 && stop <= count(), "features that are listed, of one body");
  const int vertices = vertices_.count(), edge = std::max(first, vertices);
  pair.touch_listed(vertices_, first, std::min(stop, vertices), path_, near_by, found);
  if (edge >= stop) return;
  pair.cross_listed(
      std::span(edges_).subspan(std::size_t(edge - vertices), std::size_t(stop - edge)), path_,
      found);
}

}  // namespace pliant
