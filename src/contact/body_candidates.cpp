#include "contact/body_candidates.h"

#include <algorithm>

#include "core/parallel.h"
#include "geometry/query/bvh.h"
#include "geometry/query/segments.h"

namespace pliant {
namespace {

constexpr int vertex_grain = 256;
constexpr int edge_grain = 64;
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
void close_meeting(BodyCandidates::List& list, int feature, int other, int begin, double reach) {
  std::sort(list.candidates.begin() + begin, list.candidates.end());
  while (int(list.candidates.size()) > begin && list.candidates.back().distance > reach)
    list.candidates.pop_back();
  const int end = int(list.candidates.size());
  if (begin < end) list.meetings.push_back({feature, other, begin, end});
}

}  // namespace

double BodyCandidates::radius(const Body& a, const Body& b, const ContactSettings& settings,
                              double foreseen_a, double foreseen_b) const {
  return 2 * (a.thickness + b.thickness) + settings.reach * std::min(a.size, b.size) + foreseen_a +
         foreseen_b;
}

void BodyCandidates::prepare(std::span<const Body> bodies, bool meet) {
  const std::size_t count = bodies.size();
  shape_.resize(count);
  tree_.resize(count);
  ridge_.resize(count);
  ridges_.resize(count);
  vertices_.resize(count);
  edges_.resize(count);
  listed_.assign(count, 0);
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

void BodyCandidates::refit(std::span<const Body> bodies) {
  if (shape_.size() != bodies.size()) return prepare(bodies, true);
  for (std::size_t b = 0; b < bodies.size(); ++b)
    if (shape_[b].revision != bodies[b].skin.revision) return prepare(bodies, true);
  parallel_for(int(bodies.size()), 1, [&](int b, int) { tree_[b].refit(bodies[b].skin, false); });
}

bool BodyCandidates::has_neighbours(std::span<const Body> bodies, const ContactSettings& settings,
                                    std::span<const double> foreseen, int body) {
  find_others(bodies, settings, foreseen, body, 0, false);
  return !others_.empty();
}

void BodyCandidates::find_ridges(const Body& body, int b) {
  const Skin& skin = body.skin;
  const SkinShape& shape = shape_[b];
  ridge_[b].assign(shape.edges.size(), 0);
  ridges_[b].clear();
  for (int e = 0; e < int(shape.edges.size()); ++e) {
    const SkinShape::Edge& edge = shape.edges[e];
    // An open rim can meet edges from all sides; a flat or hollow edge meets none.
    if (edge.face[1] >= 0) {
      const Vec3 first = face_normal(skin, skin.position, edge.face[0]);
      const Vec3 second = face_normal(skin, skin.position, edge.face[1]);
      if (first.dot(second) > sharp) continue;
      const Triangle& t = skin.triangles[edge.face[1]];
      const int apex = t[0] + t[1] + t[2] - edge.vertex[0] - edge.vertex[1];
      if (first.dot(skin.position[apex] - skin.position[edge.vertex[0]]) > 0) continue;
    }
    ridge_[b][e] = 1;
    ridges_[b].push_back(e);
  }
}

/// Bodies from `first` on whose boxes come near that of body a.
void BodyCandidates::find_others(std::span<const Body> bodies, const ContactSettings& settings,
                                 std::span<const double> foreseen, int a, int first, bool self) {
  others_.clear();
  for (int b = first; b < int(bodies.size()); ++b) {
    if (tree_[b].empty() || tree_[a].empty()) continue;
    if (a == b && !self) continue;
    Other other{b, radius(bodies[a], bodies[b], settings, foreseen[a], foreseen[b]),
                2 * (foreseen[a] + foreseen[b]), tree_[b].box()};
    other.box.grow(other.radius);
    if (other.box.overlaps(tree_[a].box())) others_.push_back(other);
  }
}

/// Appends what the chunks found.
void BodyCandidates::gather(List& list) {
  for (const List& chunk : chunks_) {
    const int offset = int(list.candidates.size());
    list.candidates.insert(list.candidates.end(), chunk.candidates.begin(), chunk.candidates.end());
    for (Meeting meeting : chunk.meetings) {
      meeting.begin += offset;
      meeting.end += offset;
      list.meetings.push_back(meeting);
    }
  }
}

/// Vertices and ridges of body a that lie in leaves near the other's.
void BodyCandidates::find_active(const Skin& skin, int a, const Other& other) {
  active_triangle_.assign(skin.triangles.size(), 0);
  active_vertex_.assign(std::size_t(skin.size()), 0);
  const auto mark = [&](int t) {
    active_triangle_[t] = 1;
    for (const int v : skin.triangles[t]) active_vertex_[v] = 1;
  };
  if (other.body == a) tree_[a].near_itself(other.radius, mark);
  else tree_[a].near(tree_[other.body], other.radius, mark);
  vertices_to_ask_.clear();
  for (int v = 0; v < skin.size(); ++v)
    if (active_vertex_[v]) vertices_to_ask_.push_back(v);
  edges_to_ask_.clear();
  for (const int e : ridges_[a]) {
    const SkinShape::Edge& edge = shape_[a].edges[e];
    const bool active =
        active_triangle_[edge.face[0]] || (edge.face[1] >= 0 && active_triangle_[edge.face[1]]);
    if (active) edges_to_ask_.push_back(e);
  }
}

/// What one vertex can meet of the other body.
void BodyCandidates::ask_vertex(std::span<const Body> bodies, double foreseen, int a, int v,
                                const Other& other, List& list) const {
  const Skin& skin = bodies[a].skin;
  const Skin& theirs = bodies[other.body].skin;
  const SkinShape& shape = shape_[a];
  const Vec3& p = skin.position[v];
  const int first = int(list.candidates.size());
  // Whatever is so much further than the nearest cannot become the nearest before we list again;
  // nor can the vertex pass through it.
  double reach = other.radius;
  const auto consider = [&](int t) {
    const Triangle& triangle = theirs.triangles[t];
    if (box_distance(p, theirs.position, triangle) > reach * reach) return;
    const double distance = distance_to(p, theirs.position, triangle);
    if (distance > reach) return;
    list.candidates.push_back({distance, t});
    reach = std::min(reach, distance + other.play);
  };
  if (other.body != a) {
    tree_[other.body].near(p, reach, consider);
  } else {
    const Vec3 normal = rough_normal(skin, shape, skin.position, v);
    tree_[a].near_facing(p, normal, reach, [&](int t) {
      const Triangle& triangle = skin.triangles[t];
      if (shares_vertex(triangle, v)) return;
      const Vec3 face = face_normal(skin, skin.position, t);
      if (normal.dot(face) > other_way) return;
      // Far behind it, that is on the other side of a thin part: it cannot come round to the front
      // in one step.
      if (face.dot(p - skin.position[triangle[0]]) < -2 * (bodies[a].thickness + foreseen)) return;
      if (distance_to(skin.rest[v], skin.rest, triangle) < own_edges * shape.longest_edge) return;
      consider(t);
    });
  }
  close_meeting(list, v, other.body, first, reach);
}

/// What one ridge can meet of the other body: its ridges.
void BodyCandidates::ask_edge(std::span<const Body> bodies, int a, int e, const Other& other,
                              List& list) const {
  const Skin& skin = bodies[a].skin;
  const Skin& theirs = bodies[other.body].skin;
  const SkinShape::Edge& edge = shape_[a].edges[e];
  const SkinShape& shape = shape_[other.body];
  const Vec3 middle = 0.5 * (skin.position[edge.vertex[0]] + skin.position[edge.vertex[1]]);
  const double reach = other.radius + (middle - skin.position[edge.vertex[0]]).norm();
  const int first = int(list.candidates.size());
  tree_[other.body].near(middle, reach, [&](int t) {
    for (int k = 0; k < 3; ++k) {
      const int f = shape.edge_of_side[t][k];
      const SkinShape::Edge& their_edge = shape.edges[f];
      // Once, not from both its triangles.
      if (!ridge_[other.body][f] || their_edge.face[0] != t) continue;
      if (other.body == a) {
        if (f <= e) continue;
        const auto& [p, q] = their_edge.vertex;
        if (p == edge.vertex[0] || p == edge.vertex[1] || q == edge.vertex[0] ||
            q == edge.vertex[1])
          continue;
        if (distance_between(skin.rest, edge, skin.rest, their_edge) <
            own_edges * shape.longest_edge)
          continue;
      }
      const double distance = distance_between(skin.position, edge, theirs.position, their_edge);
      if (distance <= other.radius) list.candidates.push_back({distance, f});
    }
  });
  close_meeting(list, e, other.body, first, other.radius);
}

void BodyCandidates::list_body(std::span<const Body> bodies, const ContactSettings& settings,
                               std::span<const double> foreseen, int a) {
  const auto ask = [&](const std::vector<int>& features, int grain, List& list, const auto& one) {
    const int count = int(features.size());
    chunks_.resize(std::size_t((count + grain - 1) / grain));
    parallel_for(count, grain, [&](int begin, int end) {
      List& chunk = chunks_[begin / grain];
      chunk.meetings.clear();
      chunk.candidates.clear();
      for (int i = begin; i < end; ++i) one(features[i], chunk);
    });
    gather(list);
  };
  const auto by_feature = [](const Meeting& p, const Meeting& q) {
    return p.feature != q.feature ? p.feature < q.feature : p.other < q.other;
  };
  for (List* list : {&vertices_[a], &edges_[a]}) {
    list->meetings.clear();
    list->candidates.clear();
  }
  find_others(bodies, settings, foreseen, a, 0, settings.touch == Touches::all);
  for (const Other& other : others_) {
    find_active(bodies[a].skin, a, other);
    ask(vertices_to_ask_, vertex_grain, vertices_[a],
        [&](int v, List& list) { ask_vertex(bodies, foreseen[a], a, v, other, list); });
    if (other.body < a) continue;  // found from there
    ask(edges_to_ask_, edge_grain, edges_[a],
        [&](int e, List& list) { ask_edge(bodies, a, e, other, list); });
  }
  for (List* list : {&vertices_[a], &edges_[a]})
    std::sort(list->meetings.begin(), list->meetings.end(), by_feature);
}

void BodyCandidates::list(std::span<const Body> bodies, const ContactSettings& settings,
                          std::span<const double> foreseen) {
  listed_.assign(bodies.size(), 0);
  for (int a = 0; a < int(bodies.size()); ++a) {
    list_body(bodies, settings, foreseen, a);
    for (const List* list : {&vertices_[a], &edges_[a]})
      for (const Meeting& meeting : list->meetings) listed_[a] = listed_[meeting.other] = 1;
  }
}

int BodyCandidates::count() const {
  std::size_t sum = 0;
  for (const List& list : vertices_) sum += list.candidates.size();
  for (const List& list : edges_) sum += list.candidates.size();
  return int(sum);
}

}  // namespace pliant
