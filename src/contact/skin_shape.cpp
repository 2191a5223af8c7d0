#include "contact/skin_shape.h"

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

Vec3 unit_or_up(const Vec3& v) {
  const double length = v.norm();
  return length > 0 ? Vec3(v / length) : Vec3(Vec3::UnitY());
}

struct Side {
  int low, high;
  int index;     // 3 * triangle + side
  bool forward;  // from low to high

  auto operator<=>(const Side&) const = default;
};

}  // namespace

void SkinShape::build(const Skin& skin) {
  const int count = int(skin.triangles.size());
  std::vector<Side> sides;
  longest_edge = 0;
  for (int t = 0; t < count; ++t)
    for (int k = 0; k < 3; ++k) {
      const int from = skin.triangles[t][k], to = skin.triangles[t][(k + 1) % 3];
      sides.push_back({std::min(from, to), std::max(from, to), 3 * t + k, from < to});
      longest_edge = std::max(longest_edge, (skin.rest[from] - skin.rest[to]).norm());
    }
  std::sort(sides.begin(), sides.end());

  edges.clear();
  edge_of_side.assign(std::size_t(count), {-1, -1, -1});
  closed = count > 0;
  for (std::size_t i = 0; i < sides.size();) {
    std::size_t end = i;
    while (end < sides.size() && sides[end].low == sides[i].low && sides[end].high == sides[i].high)
      ++end;
    // More than two triangles at an edge (broken input): the first two stand for it.
    Edge edge{{sides[i].low, sides[i].high}, {-1, -1}};
    for (std::size_t k = i; k < end; ++k) {
      if (k - i < 2) edge.face[k - i] = sides[k].index / 3;
      edge_of_side[sides[k].index / 3][sides[k].index % 3] = int(edges.size());
    }
    closed = closed && end - i == 2 && sides[i].forward != sides[i + 1].forward;
    edges.push_back(edge);
    i = end;
  }

  const int vertices = skin.size();
  ring_start.assign(std::size_t(vertices) + 1, 0);
  for (const Triangle& t : skin.triangles)
    for (const int v : t) ++ring_start[v + 1];
  for (int v = 0; v < vertices; ++v) ring_start[v + 1] += ring_start[v];
  ring.resize(std::size_t(ring_start.back()));
  std::vector<int> next(ring_start.begin(), ring_start.end() - 1);
  for (int t = 0; t < count; ++t)
    for (const int v : skin.triangles[t]) ring[next[v]++] = t;

  spread = 0;
  for (int row = 0; row < skin.weights.rows(); ++row) {
    double sum = 0;
    for (int k = skin.weights.start[row]; k < skin.weights.start[row + 1]; ++k)
      sum += std::abs(skin.weights.weight[k]);
    spread = std::max(spread, sum);
  }
  revision = skin.revision;
}

Vec3 face_normal(const Skin& skin, const std::vector<Vec3>& points, int triangle) {
  const Triangle& t = skin.triangles[triangle];
  return unit_or_up((points[t[1]] - points[t[0]]).cross(points[t[2]] - points[t[0]]));
}

Vec3 edge_normal(const Skin& skin, const SkinShape& shape, const std::vector<Vec3>& points,
                 int edge) {
  Vec3 sum = Vec3::Zero();
  for (const int face : shape.edges[edge].face)
    if (face >= 0) sum += face_normal(skin, points, face);
  return unit_or_up(sum);
}

Vec3 rough_normal(const Skin& skin, const SkinShape& shape, const std::vector<Vec3>& points,
                  int vertex) {
  Vec3 sum = Vec3::Zero();
  for (int k = shape.ring_start[vertex]; k < shape.ring_start[vertex + 1]; ++k) {
    const Triangle& t = skin.triangles[shape.ring[k]];
    sum += (points[t[1]] - points[t[0]]).cross(points[t[2]] - points[t[0]]);
  }
  return unit_or_up(sum);
}

Vec3 vertex_normal(const Skin& skin, const SkinShape& shape, const std::vector<Vec3>& points,
                   int vertex) {
  Vec3 sum = Vec3::Zero();
  for (int k = shape.ring_start[vertex]; k < shape.ring_start[vertex + 1]; ++k) {
    const Triangle& t = skin.triangles[shape.ring[k]];
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
