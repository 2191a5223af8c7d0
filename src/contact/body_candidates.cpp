#include "contact/body_candidates.h"

#include <algorithm>

#include "core/parallel.h"
#include "geometry/query/bvh.h"
#include "geometry/query/segments.h"

namespace pliant {
namespace {

constexpr int vertex_grain = 256;
constexpr int edge_grain = 64;
constexpr double sharp = 0.98;     // cosine of 11 degrees between the faces of an edge
constexpr double own_edges = 1.2;  // nearer at rest than this many longest edges: neighbours
constexpr double same_way = 0.2;   // cosine of normals that do not face each other

bool shares_vertex(const Triangle& t, int vertex) {
  return t[0] == vertex || t[1] == vertex || t[2] == vertex;
}

double distance_to(const Vec3& p, const std::vector<Vec3>& points, const Triangle& t) {
  return closest_on_triangle(p, points[t[0]], points[t[1]], points[t[2]]).distance;
}

double distance_between(const std::vector<Vec3>& a, const SkinShape::Edge& edge_a,
                        const std::vector<Vec3>& b, const SkinShape::Edge& edge_b) {
  return closest_between_segments(a[edge_a.vertex[0]], a[edge_a.vertex[1]], b[edge_b.vertex[0]],
                                  b[edge_b.vertex[1]])
      .distance;
}

void close_meeting(BodyCandidates::List& list, int feature, int other, int begin) {
  const int end = int(list.candidates.size());
  if (begin == end) return;
  std::sort(list.candidates.begin() + begin, list.candidates.end());
  list.meetings.push_back({feature, other, begin, end});
}

}  // namespace

double BodyCandidates::radius(const Body& a, const Body& b, const ContactSettings& settings,
                              double foreseen_a, double foreseen_b) const {
  return 2 * (a.thickness + b.thickness) + settings.reach * std::min(a.size, b.size) + foreseen_a +
         foreseen_b;
}

void BodyCandidates::prepare(std::span<const Body> bodies) {
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
    if (shape_[b].revision != skin.revision) {
      shape_[b].build(skin);
      tree_[b].build(skin);
    }
    tree_[b].refit(skin);
    find_ridges(bodies[b], b);
  });
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
                                 std::span<const double> foreseen, int a, int first) {
  others_.clear();
  for (int b = first; b < int(bodies.size()); ++b) {
    if (tree_[b].empty() || tree_[a].empty()) continue;
    if (a == b && !settings.self) continue;
    Other other{b, radius(bodies[a], bodies[b], settings, foreseen[a], foreseen[b]),
                tree_[b].box()};
    other.box.grow(other.radius);
    if (other.box.overlaps(tree_[a].box())) others_.push_back(other);
  }
}

void BodyCandidates::gather(List& list) {
  list.meetings.clear();
  list.candidates.clear();
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

void BodyCandidates::list_vertices(std::span<const Body> bodies, const ContactSettings& settings,
                                   std::span<const double> foreseen, int a) {
  find_others(bodies, settings, foreseen, a, 0);
  const Skin& skin = bodies[a].skin;
  const SkinShape& shape = shape_[a];
  const int vertices = others_.empty() ? 0 : skin.size();
  chunks_.resize(std::size_t((vertices + vertex_grain - 1) / vertex_grain));
  parallel_for(vertices, vertex_grain, [&](int begin, int end) {
    List& chunk = chunks_[begin / vertex_grain];
    chunk.meetings.clear();
    chunk.candidates.clear();
    for (int v = begin; v < end; ++v) {
      const Vec3& p = skin.position[v];
      for (const Other& other : others_) {
        if (!other.box.contains(p)) continue;
        const int b = other.body, first = int(chunk.candidates.size());
        const Skin& theirs = bodies[b].skin;
        const auto consider = [&](int t) {
          const double distance = distance_to(p, theirs.position, theirs.triangles[t]);
          if (distance <= other.radius) chunk.candidates.push_back({distance, t});
        };
        if (a != b) {
          tree_[b].near(p, other.radius, consider);
        } else {
          const Vec3 normal = vertex_normal(skin, shape, skin.position, v);
          tree_[b].near_facing(p, normal, other.radius, [&](int t) {
            const Triangle& triangle = skin.triangles[t];
            if (shares_vertex(triangle, v)) return;
            const Vec3 face = face_normal(skin, skin.position, t);
            if (normal.dot(face) > same_way) return;
            // Far behind it, that is on the other side of a thin part: it cannot come round to the
            // front in one step.
            if (face.dot(p - skin.position[triangle[0]]) < -2 * (bodies[a].thickness + foreseen[a]))
              return;
            if (distance_to(skin.rest[v], skin.rest, triangle) < own_edges * shape.longest_edge)
              return;
            consider(t);
          });
        }
        close_meeting(chunk, v, b, first);
      }
    }
  });
  gather(vertices_[a]);
}

void BodyCandidates::list_edges(std::span<const Body> bodies, const ContactSettings& settings,
                                std::span<const double> foreseen, int a) {
  find_others(bodies, settings, foreseen, a, a);
  const Skin& skin = bodies[a].skin;
  const int edges = others_.empty() ? 0 : int(ridges_[a].size());
  chunks_.resize(std::size_t((edges + edge_grain - 1) / edge_grain));
  parallel_for(edges, edge_grain, [&](int begin, int end) {
    List& chunk = chunks_[begin / edge_grain];
    chunk.meetings.clear();
    chunk.candidates.clear();
    for (int i = begin; i < end; ++i) {
      const int e = ridges_[a][i];
      const SkinShape::Edge& edge = shape_[a].edges[e];
      const Vec3 middle = 0.5 * (skin.position[edge.vertex[0]] + skin.position[edge.vertex[1]]);
      const double half = (middle - skin.position[edge.vertex[0]]).norm();
      for (const Other& other : others_) {
        Box box = other.box;
        box.grow(half);
        if (!box.contains(middle)) continue;
        const int b = other.body, first = int(chunk.candidates.size());
        const Skin& theirs = bodies[b].skin;
        tree_[b].near(middle, other.radius + half, [&](int t) {
          for (int k = 0; k < 3; ++k) {
            const int f = shape_[b].edge_of_side[t][k];
            const SkinShape::Edge& their_edge = shape_[b].edges[f];
            // Once, not from both its triangles.
            if (!ridge_[b][f] || their_edge.face[0] != t) continue;
            if (a == b) {
              if (f <= e) continue;
              const auto& [p, q] = their_edge.vertex;
              if (p == edge.vertex[0] || p == edge.vertex[1] || q == edge.vertex[0] ||
                  q == edge.vertex[1])
                continue;
              if (distance_between(skin.rest, edge, skin.rest, their_edge) <
                  own_edges * shape_[a].longest_edge)
                continue;
            }
            const double distance =
                distance_between(skin.position, edge, theirs.position, their_edge);
            if (distance <= other.radius) chunk.candidates.push_back({distance, f});
          }
        });
        close_meeting(chunk, e, b, first);
      }
    }
  });
  gather(edges_[a]);
}

void BodyCandidates::list(std::span<const Body> bodies, const ContactSettings& settings,
                          std::span<const double> foreseen) {
  prepare(bodies);
  for (int a = 0; a < int(bodies.size()); ++a) {
    list_vertices(bodies, settings, foreseen, a);
    list_edges(bodies, settings, foreseen, a);
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
