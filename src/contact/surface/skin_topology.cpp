#include "contact/surface/skin_topology.h"

#include <algorithm>
#include <cmath>

#include "core/assert.h"
#include "core/parallel.h"
#include "geometry/mesh/sides.h"

namespace pliant {
namespace {

constexpr double sharp = 0.98;  // cosine of 11 degrees between the faces of an edge

Vec3 unit_or_up(const Vec3& v) {
  const double length = v.norm();
  return length > 0 ? Vec3(v / length) : Vec3(Vec3::UnitY());
}

}  // namespace

void SkinTopology::build(const Skin& skin) {
  ASSERT(skin.rest.size() == skin.position.size(), "a skin has a place at rest for each vertex");
  const int count = int(skin.triangles.size());
  longest_edge = 0;
  mean_edge = pliant::mean_edge(skin);
  edges.clear();
  edge_of_side.assign(std::size_t(count), {-1, -1, -1});
  closed = count > 0;
  for_each_edge(sorted_sides(skin.triangles), [&](const Side* begin, const Side* end) {
    Edge edge{{begin->low, begin->high}, {-1, -1}};
    longest_edge = std::max(longest_edge, (skin.rest[begin->low] - skin.rest[begin->high]).norm());
    for (const Side* side = begin; side < end; ++side) {
      // More than two triangles at an edge (broken input): the first two stand for it.
      if (side - begin < 2) edge.face[std::size_t(side - begin)] = side->index / 3;
      edge_of_side[side->index / 3][side->index % 3] = int(edges.size());
    }
    closed = closed && end - begin == 2 && begin[0].forward != begin[1].forward;
    edges.push_back(edge);
  });

  const int vertices = skin.size();
  ring_start.assign(std::size_t(vertices) + 1, 0);
  for (const Triangle& t : skin.triangles)
    for (const int v : t) ++ring_start[v + 1];
  for (int v = 0; v < vertices; ++v) ring_start[v + 1] += ring_start[v];
  ring.resize(std::size_t(ring_start.back()));
  std::vector<int> next(ring_start.begin(), ring_start.end() - 1);
  for (int t = 0; t < count; ++t)
    for (const int v : skin.triangles[t]) ring[next[v]++] = t;

  revision = skin.revision;
  measure_weight_norm(skin);
}

void SkinTopology::measure_weight_norm(const Skin& skin) {
  weight_norm = 0;
  for (int row = 0; row < skin.weights.rows(); ++row) {
    double sum = 0;
    skin.weights.for_each(row, [&](int, double weight) { sum += std::abs(weight); });
    weight_norm = std::max(weight_norm, sum);
  }
  weights_revision = skin.weights_revision;
}

bool SkinTopology::is_of(const Skin& skin) const {
  return revision == skin.revision && edge_of_side.size() == skin.triangles.size() &&
         ring_start.size() == std::size_t(skin.size()) + 1;
}

namespace {

/// Between faces with these normals.
Crease bend_between(const Skin& skin, const SkinTopology::Edge& edge, const Vec3& first,
                    const Vec3& second) {
  if (first.dot(second) > sharp) return Crease::flat;
  const Triangle& t = skin.triangles[edge.face[1]];
  const int apex = t[0] + t[1] + t[2] - edge.vertex[0] - edge.vertex[1];
  const bool convex = first.dot(skin.position[apex] - skin.position[edge.vertex[0]]) <= 0;
  return convex ? Crease::ridge : Crease::hollow;
}

}  // namespace

Crease crease_at(const Skin& skin, const SkinTopology::Edge& edge) {
  if (edge.face[1] < 0) return Crease::ridge;  // can meet edges from all sides
  return bend_between(skin, edge, face_normal(skin, skin.position, edge.face[0]),
                      face_normal(skin, skin.position, edge.face[1]));
}

void Creases::find(const Skin& skin, const SkinTopology& topology) {
  ASSERT(topology.edge_of_side.size() == skin.triangles.size(), "the topology is of this skin");
  constexpr int grain = 2048;
  normal.resize(skin.triangles.size());
  parallel_for(int(normal.size()), grain, [&](int begin, int end) {
    for (int t = begin; t < end; ++t) normal[t] = face_normal(skin, skin.position, t);
  });
  of_edge.resize(topology.edges.size());
  parallel_for(int(of_edge.size()), grain, [&](int begin, int end) {
    for (int e = begin; e < end; ++e) {
      const SkinTopology::Edge& edge = topology.edges[e];
      of_edge[e] = edge.face[1] < 0
                       ? Crease::ridge
                       : bend_between(skin, edge, normal[edge.face[0]], normal[edge.face[1]]);
    }
  });
}

Vec3 face_normal(const Skin& skin, const std::vector<Vec3>& points, int triangle) {
  const Triangle& t = skin.triangles[triangle];
  return unit_or_up((points[t[1]] - points[t[0]]).cross(points[t[2]] - points[t[0]]));
}

Vec3 edge_normal(const Skin& skin, const SkinTopology& topology, const std::vector<Vec3>& points,
                 int edge) {
  Vec3 sum = Vec3::Zero();
  for (const int face : topology.edges[edge].face)
    if (face >= 0) sum += face_normal(skin, points, face);
  return unit_or_up(sum);
}

Vec3 rough_normal(const Skin& skin, const SkinTopology& topology, const std::vector<Vec3>& points,
                  int vertex) {
  Vec3 sum = Vec3::Zero();
  for (int k = topology.ring_start[vertex]; k < topology.ring_start[vertex + 1]; ++k) {
    const Triangle& t = skin.triangles[topology.ring[k]];
    sum += (points[t[1]] - points[t[0]]).cross(points[t[2]] - points[t[0]]);
  }
  return unit_or_up(sum);
}

Vec3 vertex_normal(const Skin& skin, const SkinTopology& topology, const std::vector<Vec3>& points,
                   int vertex) {
  Vec3 sum = Vec3::Zero();
  for (int k = topology.ring_start[vertex]; k < topology.ring_start[vertex + 1]; ++k) {
    const Triangle& t = skin.triangles[topology.ring[k]];
    const int corner = t[0] == vertex ? 0 : t[1] == vertex ? 1 : 2;
    const Vec3 u = points[t[(corner + 1) % 3]] - points[vertex];
    const Vec3 v = points[t[(corner + 2) % 3]] - points[vertex];
    const Vec3 area = u.cross(v);
    const double length = area.norm();
    if (length > 0) sum += std::atan2(length, u.dot(v)) / length * area;
  }
  return unit_or_up(sum);
}

}  // namespace pliant
