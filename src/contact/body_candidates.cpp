#include "contact/body_candidates.h"

#include <algorithm>

#include "core/parallel.h"
#include "geometry/query/bvh.h"
#include "geometry/query/segments.h"

namespace pliant {
namespace {

constexpr int grain = 64;           // leaves, vertices or edges
constexpr double sharp = 0.98;      // cosine of 11 degrees between the faces of an edge
constexpr double own_edges = 1.2;   // nearer at rest than this many longest edges: neighbours
constexpr double other_way = -0.2;  // cosine of normals of one skin that face each other, at most

bool shares_vertex(const Triangle& t, int vertex) {
  return t[0] == vertex || t[1] == vertex || t[2] == vertex;
}

double distance_to(const Vec3& p, const std::vector<Vec3>& points, const Triangle& t) {
  return closest_on_triangle(p, points[t[0]], points[t[1]], points[t[2]]).distance;
}

/// Squared, to the box around the triangle: cheap.
double box_distance(const Vec3& p, const std::vector<Vec3>& points, const Triangle& t) {
  Box box;
  for (const int corner : t) box.add(points[corner]);
  return box.squared_distance(p);
}

double distance_between(const std::vector<Vec3>& a, const SkinShape::Edge& edge_a,
                        const std::vector<Vec3>& b, const SkinShape::Edge& edge_b) {
  return closest_between_segments(a[edge_a.vertex[0]], a[edge_a.vertex[1]], b[edge_b.vertex[0]],
                                  b[edge_b.vertex[1]])
      .distance;
}

/// Sorts the candidates from `begin` on, drops those beyond `reach` and makes the rest a meeting.
void close_meeting(BodyCandidates::List& list, int feature, int begin, double reach) {
  std::sort(list.candidates.begin() + begin, list.candidates.end());
  while (int(list.candidates.size()) > begin && list.candidates.back().distance > reach)
    list.candidates.pop_back();
  const int end = int(list.candidates.size());
  if (begin < end) list.meetings.push_back({feature, begin, end});
}

/// [m] Features of the two that are further apart cannot touch before they are listed again.
double radius(const Body& a, const Body& b, const ContactSettings& settings, double foreseen) {
  return 2 * (a.thickness + b.thickness) + settings.reach * std::min(a.size, b.size) + foreseen;
}

}  // namespace

void BodyCandidates::prepare(std::span<const Body> bodies, bool meet) {
  const std::size_t count = bodies.size();
  shape_.resize(count);
  tree_.resize(count);
  ridge_.resize(count);
  ridges_.resize(count);
  ridge_start_.resize(count);
  parallel_for(int(count), 1, [&](int b, int) {
    const Skin& skin = bodies[b].skin;
    if (shape_[b].revision != skin.revision ||
        shape_[b].edge_of_side.size() != skin.triangles.size()) {
      shape_[b].build(skin);
      tree_[b].build(skin);
    }
    if (!meet) return;
    tree_[b].refit(skin, true);
    find_ridges(bodies[b], b);
  });
}

void BodyCandidates::find_ridges(const Body& body, int b) {
  const Skin& skin = body.skin;
  const SkinShape& shape = shape_[b];
  const auto is_ridge = [&](const SkinShape::Edge& edge) {
    // An open rim can meet edges from all sides; a flat or hollow edge meets none.
    if (edge.face[1] < 0) return true;
    const Vec3 first = face_normal(skin, skin.position, edge.face[0]);
    const Vec3 second = face_normal(skin, skin.position, edge.face[1]);
    if (first.dot(second) > sharp) return false;
    const Triangle& t = skin.triangles[edge.face[1]];
    const int apex = t[0] + t[1] + t[2] - edge.vertex[0] - edge.vertex[1];
    return first.dot(skin.position[apex] - skin.position[edge.vertex[0]]) <= 0;
  };
  ridge_[b].assign(shape.edges.size(), 0);
  ridges_[b].clear();
  ridge_start_[b].assign(1, 0);
  for (int leaf = 0; leaf < tree_[b].leaves(); ++leaf) {
    for (const int t : tree_[b].leaf_triangles(leaf))
      for (const int e : shape.edge_of_side[t]) {
        if (shape.edges[e].face[0] != t || ridge_[b][e] || !is_ridge(shape.edges[e])) continue;
        ridge_[b][e] = 1;
        ridges_[b].push_back(e);
      }
    ridge_start_[b].push_back(int(ridges_[b].size()));
  }
}

void BodyCandidates::pair_up(std::span<const Body> bodies, const ContactSettings& settings,
                             std::span<const double> alone) {
  count_ = 0;
  const auto add = [&](int a, int b) {
    if (count_ == int(pairs_.size())) pairs_.emplace_back();
    Pair& pair = pairs_[count_++];
    pair.a = a, pair.b = b;
    for (List* list : {&pair.vertices_a, &pair.vertices_b, &pair.edges}) {
      list->meetings.clear();
      list->candidates.clear();
    }
  };
  // Along x, so that bodies side by side are not compared each with each.
  by_place_.clear();
  for (int b = 0; b < int(bodies.size()); ++b)
    if (!tree_[b].empty()) by_place_.push_back(b);
  std::sort(by_place_.begin(), by_place_.end(), [&](int p, int q) {
    const double low_p = tree_[p].box().low.x() - alone[p];
    const double low_q = tree_[q].box().low.x() - alone[q];
    return low_p != low_q ? low_p < low_q : p < q;
  });
  double widest = 0;  // what thickness and reach can add
  for (const Body& body : bodies) widest = std::max(widest, radius(body, body, settings, 0));
  for (std::size_t i = 0; i < by_place_.size(); ++i) {
    const int a = by_place_[i];
    if (settings.touch == Touches::all) add(a, a);
    const double end = tree_[a].box().high.x() + alone[a] + widest;
    for (std::size_t k = i + 1; k < by_place_.size(); ++k) {
      const int b = by_place_[k];
      if (tree_[b].box().low.x() - alone[b] > end) break;
      Box box = tree_[b].box();
      box.grow(radius(bodies[a], bodies[b], settings, alone[a] + alone[b]));
      if (box.overlaps(tree_[a].box())) add(std::min(a, b), std::max(a, b));
    }
  }
  std::sort(pairs_.begin(), pairs_.begin() + count_,
            [](const Pair& p, const Pair& q) { return p.a != q.a ? p.a < q.a : p.b < q.b; });
}

/// From the pairs of leaves: for each leaf of one side its partners. `turned`: for those of b.
void BodyCandidates::sort_out(const SkinTree& tree, bool turned) {
  const auto mine = [&](const std::pair<int, int>& two) { return turned ? two.second : two.first; };
  next_.assign(std::size_t(tree.leaves()) + 1, 0);
  for (const auto& two : near_) ++next_[mine(two) + 1];
  leaves_.leaf.clear();
  leaves_.start.assign(1, 0);
  for (int leaf = 0; leaf < tree.leaves(); ++leaf) {
    next_[leaf + 1] += next_[leaf];
    if (next_[leaf + 1] == next_[leaf]) continue;
    leaves_.leaf.push_back(leaf);
    leaves_.start.push_back(next_[leaf + 1]);
  }
  leaves_.other.resize(near_.size());
  for (const auto& two : near_) leaves_.other[next_[mine(two)]++] = turned ? two.first : two.second;
}

/// What the vertices of one leaf of a can meet of b.
void BodyCandidates::ask_leaf_vertices(std::span<const Body> bodies, const Meet& meet, int i,
                                       List& list) const {
  const Skin& skin = bodies[meet.a].skin;
  const Skin& theirs = bodies[meet.b].skin;
  const SkinTree& tree = tree_[meet.b];
  for (const int v : tree_[meet.a].leaf_vertices(leaves_.leaf[i])) {
    const Vec3& p = skin.position[v];
    const int first = int(list.candidates.size());
    // Whatever is so much further than the nearest cannot become the nearest before we list again;
    // nor can the vertex pass through it.
    double reach = meet.radius;
    for (int k = leaves_.start[i]; k < leaves_.start[i + 1]; ++k) {
      const int leaf = leaves_.other[k];
      if (tree.leaf_box(leaf).squared_distance(p) > reach * reach) continue;
      for (const int t : tree.leaf_triangles(leaf)) {
        const Triangle& triangle = theirs.triangles[t];
        if (box_distance(p, theirs.position, triangle) > reach * reach) continue;
        const double distance = distance_to(p, theirs.position, triangle);
        if (distance > reach) continue;
        list.candidates.push_back({distance, t});
        reach = std::min(reach, distance + 2 * meet.foreseen);
      }
    }
    close_meeting(list, v, first, reach);
  }
}

/// What the ridges of one leaf of a can meet of b: its ridges.
void BodyCandidates::ask_leaf_ridges(std::span<const Body> bodies, const Meet& meet, int i,
                                     List& list) const {
  const Skin& skin = bodies[meet.a].skin;
  const Skin& theirs = bodies[meet.b].skin;
  const std::vector<int>& start = ridge_start_[meet.b];
  const int own = leaves_.leaf[i];
  for (int r = ridge_start_[meet.a][own]; r < ridge_start_[meet.a][own + 1]; ++r) {
    const int e = ridges_[meet.a][r];
    const int first = int(list.candidates.size());
    for (int k = leaves_.start[i]; k < leaves_.start[i + 1]; ++k)
      for (int q = start[leaves_.other[k]]; q < start[leaves_.other[k] + 1]; ++q) {
        const int f = ridges_[meet.b][q];
        const double distance = distance_between(skin.position, shape_[meet.a].edges[e],
                                                 theirs.position, shape_[meet.b].edges[f]);
        if (distance <= meet.radius) list.candidates.push_back({distance, f});
      }
    close_meeting(list, e, first, meet.radius);
  }
}

/// What a vertex can meet of its own body.
void BodyCandidates::ask_own_vertex(const Body& body, const Meet& meet, int v, List& list) const {
  const Skin& skin = body.skin;
  const SkinShape& shape = shape_[meet.a];
  const Vec3& p = skin.position[v];
  const Vec3 normal = rough_normal(skin, shape, skin.position, v);
  const int first = int(list.candidates.size());
  double reach = meet.radius;
  tree_[meet.a].near_facing(p, normal, reach, [&](int t) {
    const Triangle& triangle = skin.triangles[t];
    if (shares_vertex(triangle, v)) return;
    if (box_distance(p, skin.position, triangle) > reach * reach) return;
    const Vec3 face = face_normal(skin, skin.position, t);
    if (normal.dot(face) > other_way) return;
    // Far behind it, that is on the other side of a thin part: it cannot come round to the front
    // in one step.
    if (face.dot(p - skin.position[triangle[0]]) < -2 * (body.thickness + meet.foreseen)) return;
    const double distance = distance_to(p, skin.position, triangle);
    if (distance > reach) return;
    if (distance_to(skin.rest[v], skin.rest, triangle) < own_edges * shape.longest_edge) return;
    list.candidates.push_back({distance, t});
    reach = std::min(reach, distance + 2 * meet.foreseen);
  });
  close_meeting(list, v, first, reach);
}

/// What a ridge can meet of its own body: ridges with higher numbers.
void BodyCandidates::ask_own_ridge(const Body& body, const Meet& meet, int e, List& list) const {
  const Skin& skin = body.skin;
  const SkinShape& shape = shape_[meet.a];
  const SkinShape::Edge& edge = shape.edges[e];
  const Vec3 middle = 0.5 * (skin.position[edge.vertex[0]] + skin.position[edge.vertex[1]]);
  const double reach = meet.radius + (middle - skin.position[edge.vertex[0]]).norm();
  const int first = int(list.candidates.size());
  tree_[meet.a].near(middle, reach, [&](int t) {
    for (const int f : shape.edge_of_side[t]) {
      const SkinShape::Edge& other = shape.edges[f];
      // Once, not from both its triangles.
      if (f <= e || !ridge_[meet.a][f] || other.face[0] != t) continue;
      const auto& [p, q] = other.vertex;
      if (p == edge.vertex[0] || p == edge.vertex[1] || q == edge.vertex[0] || q == edge.vertex[1])
        continue;
      const double distance = distance_between(skin.position, edge, skin.position, other);
      if (distance > meet.radius) continue;
      if (distance_between(skin.rest, edge, skin.rest, other) < own_edges * shape.longest_edge)
        continue;
      list.candidates.push_back({distance, f});
    }
  });
  close_meeting(list, e, first, meet.radius);
}

/// Asks in chunks side by side, and puts together what they found, by feature.
template <class Ask>
void BodyCandidates::ask(int count, List& list, const Ask& ask_one) {
  chunks_.resize(std::max(chunks_.size(), std::size_t((count + grain - 1) / grain)));
  parallel_for(count, grain, [&](int begin, int end) {
    List& chunk = chunks_[begin / grain];
    chunk.meetings.clear();
    chunk.candidates.clear();
    for (int i = begin; i < end; ++i) ask_one(i, chunk);
  });
  list.meetings.clear();
  list.candidates.clear();
  for (int c = 0; c * grain < count; ++c) {
    const int offset = int(list.candidates.size());
    const List& chunk = chunks_[c];
    list.candidates.insert(list.candidates.end(), chunk.candidates.begin(), chunk.candidates.end());
    for (const Meeting& meeting : chunk.meetings)
      list.meetings.push_back({meeting.feature, meeting.begin + offset, meeting.end + offset});
  }
  std::sort(list.meetings.begin(), list.meetings.end(),
            [](const Meeting& p, const Meeting& q) { return p.feature < q.feature; });
}

void BodyCandidates::list_two(std::span<const Body> bodies, const Meet& meet, Pair& pair) {
  near_.clear();
  tree_[meet.a].near(tree_[meet.b], meet.radius, [&](int m, int n) { near_.emplace_back(m, n); });
  sort_out(tree_[meet.a], false);
  const int count = int(leaves_.leaf.size());
  ask(count, pair.vertices_a, [&](int i, List& list) { ask_leaf_vertices(bodies, meet, i, list); });
  ask(count, pair.edges, [&](int i, List& list) { ask_leaf_ridges(bodies, meet, i, list); });
  Meet back = meet;
  std::swap(back.a, back.b);
  sort_out(tree_[meet.b], true);
  ask(int(leaves_.leaf.size()), pair.vertices_b,
      [&](int i, List& list) { ask_leaf_vertices(bodies, back, i, list); });
}

void BodyCandidates::list_self(std::span<const Body> bodies, const Meet& meet, Pair& pair) {
  const Body& body = bodies[meet.a];
  const Skin& skin = body.skin;
  active_triangle_.assign(skin.triangles.size(), 0);
  active_vertex_.assign(std::size_t(skin.size()), 0);
  tree_[meet.a].near_itself(meet.radius, [&](int t) {
    active_triangle_[t] = 1;
    for (const int v : skin.triangles[t]) active_vertex_[v] = 1;
  });
  to_ask_.clear();
  for (int v = 0; v < skin.size(); ++v)
    if (active_vertex_[v]) to_ask_.push_back(v);
  ask(int(to_ask_.size()), pair.vertices_a,
      [&](int i, List& list) { ask_own_vertex(body, meet, to_ask_[i], list); });
  to_ask_.clear();
  for (const int e : ridges_[meet.a]) {
    const auto& [face, other] = shape_[meet.a].edges[e].face;
    if (active_triangle_[face] || (other >= 0 && active_triangle_[other])) to_ask_.push_back(e);
  }
  ask(int(to_ask_.size()), pair.edges,
      [&](int i, List& list) { ask_own_ridge(body, meet, to_ask_[i], list); });
}

void BodyCandidates::list(std::span<const Body> bodies, const ContactSettings& settings,
                          Pair& pair) {
  const Meet meet{pair.a, pair.b, radius(bodies[pair.a], bodies[pair.b], settings, pair.foreseen),
                  pair.foreseen};
  if (pair.self()) list_self(bodies, meet, pair);
  else list_two(bodies, meet, pair);
}

int BodyCandidates::count() const {
  std::size_t sum = 0;
  for (const Pair& pair : pairs())
    sum += pair.vertices_a.candidates.size() + pair.vertices_b.candidates.size() +
           pair.edges.candidates.size();
  return int(sum);
}

}  // namespace pliant
