#include "contact/self/rest_exclusions.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/parallel.h"
#include "geometry/query/ray.h"
#include "geometry/query/segments.h"
#include "geometry/query/winding_number.h"

namespace pliant {
namespace {

constexpr double own_edges = 1.2;  // nearer than this many edges: neighbours
constexpr double smooth = 2.5;     // and if they look the same way: one smooth surface
constexpr double own_gaps = 4;     // nearer than this many gaps: contact would push them apart
constexpr double thick = 3;        // times the flesh's thickness: it could bend round that
constexpr double behind = 0.5;     // cosine between the way that far, to what lies behind, and the
                                   // normal; on shorter ways as much less as on a ball
constexpr double rolls = 6;        // edges round the tightest roll of a thin part
constexpr double away = 0.3;       // cosine between normals of what does not look the same way
constexpr double inside = 0.75;    // winding number: within another part of the surface

TriangleMesh at_rest(const Skin& skin) {
  TriangleMesh mesh;
  mesh.points = skin.rest;
  mesh.triangles = skin.triangles;
  return mesh;
}

/// The middle one of five ways through the flesh, straight and to the sides: of a long piece its
/// width, also from its end, and of a plate its thickness, also at its rim.
double depth_behind(const TriangleMesh& mesh, const Bvh& bvh, int triangle, const Vec3& normal) {
  const Triangle& t = mesh.triangles[triangle];
  const Vec3 from = (mesh.points[t[0]] + mesh.points[t[1]] + mesh.points[t[2]]) / 3;
  const Vec3 along = (mesh.points[t[1]] - mesh.points[t[0]]).normalized();
  const Vec3 across = normal.cross(along);
  const double least = 1e-6 * (mesh.points[t[1]] - mesh.points[t[0]]).norm();
  std::array<double, 5> ways{};
  int k = 0;
  for (const Vec3& aside : {Vec3(Vec3::Zero()), along, Vec3(-along), across, Vec3(-across)})
    ways[k++] = ray_distance(mesh, bvh, from, aside - normal, least);
  std::sort(ways.begin(), ways.end());
  return std::isfinite(ways[2]) ? ways[2] : 0;
}

}  // namespace

void RestExclusions::build(const Skin& skin, const SkinTopology& topology, const SkinTree& tree,
                           double gap) {
  revision_ = skin.revision;
  if (!skin.provenance.apart.empty()) return measure_parts(skin);
  least_ = own_gaps * gap;
  vertices_.assign(skin.rest.size(), {});
  triangles_.assign(skin.triangles.size(), {});
  for (int t = 0; t < int(triangles_.size()); ++t)
    triangles_[t].normal = face_normal(skin, skin.rest, t);
  for (int v = 0; v < int(vertices_.size()); ++v)
    vertices_[v].normal = rough_normal(skin, topology, skin.rest, v);
  for (const SkinTopology::Edge& edge : topology.edges) {
    const auto [i, j] = edge.vertex;
    const double length = (skin.rest[i] - skin.rest[j]).norm();
    for (const int v : edge.vertex) vertices_[v].edge = std::max(vertices_[v].edge, length);
    for (const int t : edge.face)
      if (t >= 0) triangles_[t].edge = std::max(triangles_[t].edge, length);
  }
  const TriangleMesh mesh = at_rest(skin);
  const Bvh bvh(mesh);
  measure_depth(mesh, bvh, tree);
  find_buried(mesh, bvh, tree, topology.closed);
  measure_apart(skin, tree, bvh);
}

/// No vertex is nearer to another part than to the box round it.
void RestExclusions::measure_parts(const Skin& skin) {
  const std::vector<int>& part = skin.provenance.apart;
  std::vector<Box> box(std::size_t(1 + *std::max_element(part.begin(), part.end())));
  for (int v = 0; v < int(part.size()); ++v) box[part[v]].add(skin.rest[v]);
  apart_.assign(part.size(), std::numeric_limits<double>::infinity());
  for (int v = 0; v < int(part.size()); ++v)
    for (int other = 0; other < int(box.size()); ++other)
      if (other != part[v] && !box[other].empty())
        apart_[v] = std::min(apart_[v], std::sqrt(box[other].squared_distance(skin.rest[v])));
}

void RestExclusions::measure_depth(const TriangleMesh& mesh, const Bvh& bvh, const SkinTree& tree) {
  parallel_for(tree.leaves(), 16, [&](int begin, int end) {
    for (int leaf = begin; leaf < end; ++leaf) {
      const auto triangles = tree.triangles(leaf);
      const int middle = triangles[triangles.size() / 2];
      const double depth = depth_behind(mesh, bvh, middle, triangles_[middle].normal);
      for (const int t : triangles) triangles_[t].depth = depth;
      for (const int v : tree.vertices(leaf)) vertices_[v].depth = depth;
    }
  });
}

void RestExclusions::find_buried(const TriangleMesh& mesh, const Bvh& bvh, const SkinTree& tree,
                                 bool closed) {
  const auto above = [&](int v) -> Vec3 {
    return mesh.points[v] + 1e-3 * vertices_[v].edge * vertices_[v].normal;
  };
  const auto sees_out = [&](int v) {
    const Vec3& normal = vertices_[v].normal;
    const Vec3 aside = normal.unitOrthogonal();
    for (const Vec3& way : {normal, Vec3(normal + aside), Vec3(normal - aside)})
      if (!ray_hits(mesh, bvh, above(v), way)) return true;
    return false;
  };
  // Most surfaces do not overlap themselves: one vertex of each part tells, and most of these see
  // out.
  std::vector<int> in_doubt;
  for (int leaf = 0; leaf < tree.leaves(); ++leaf)
    if (!tree.vertices(leaf).empty()) in_doubt.push_back(tree.vertices(leaf)[0]);
  if (closed) {
    parallel_for(int(in_doubt.size()), 16, [&](int begin, int end) {
      for (int k = begin; k < end; ++k)
        if (sees_out(in_doubt[k])) in_doubt[k] = -1;
    });
    std::erase(in_doubt, -1);
  }
  if (in_doubt.empty()) return;
  const WindingNumber winding(mesh);
  const auto test = [&](int v) {
    vertices_[v].buried = winding.at(above(v)) > inside;
    return vertices_[v].buried;
  };
  if (!parallel_any_of(int(in_doubt.size()), 16, [&](int k) { return test(in_doubt[k]); })) return;
  parallel_for(int(vertices_.size()), 64, [&](int begin, int end) {
    for (int v = begin; v < end; ++v) test(v);
  });
  for (int t = 0; t < int(triangles_.size()); ++t)
    for (const int v : mesh.triangles[t])
      triangles_[t].buried = triangles_[t].buried || vertices_[v].buried;
}

bool RestExclusions::normals_agree(const Feature& a, const Feature& b) {
  return a.normal.dot(b.normal) > away;
}

double RestExclusions::neighbourhood(double edge, double other_edge) const {
  return std::max(least_, own_edges * std::max(edge, other_edge));
}

/// `between` [m]: from the one that has the first normal to the other.
bool RestExclusions::is_same_flesh(const Vec3& between, const Vec3& normal,
                                   const Vec3& other_normal, double edge, double depth) {
  const double distance = between.norm();
  const double below = std::min(-normal.dot(between), other_normal.dot(between));
  if (below < 0) return false;
  const double round = thick * depth;
  return (distance < round && below * round > behind * distance * distance) ||
         (distance < rolls * edge && normal.dot(other_normal) < away);
}

bool RestExclusions::may_touch(const Skin& skin, int vertex, int triangle) const {
  if (const std::vector<int>& part = skin.provenance.apart; !part.empty())
    return part[vertex] != part[skin.triangles[triangle][0]];
  const auto [i, j, k] = skin.triangles[triangle];
  if (i == vertex || j == vertex || k == vertex) return false;
  const Feature &v = vertices_[vertex], &t = triangles_[triangle];
  if (v.buried || t.buried) return false;
  const Vec3& x = skin.rest[vertex];
  const double edge = std::max(v.edge, t.edge);
  const double near = std::max(least_, (normals_agree(v, t) ? smooth : own_edges) * edge);
  const double surely_far = near + t.edge, squared = (x - skin.rest[i]).squaredNorm();
  if (squared < near * near) return false;  // most neighbours
  if (squared < surely_far * surely_far &&
      closest_on_triangle(x, skin.rest[i], skin.rest[j], skin.rest[k]).distance < near)
    return false;
  const Vec3 centre = (skin.rest[i] + skin.rest[j] + skin.rest[k]) / 3;
  return !is_same_flesh(x - centre, t.normal, v.normal, edge, std::min(v.depth, t.depth));
}

void RestExclusions::measure_apart(const Skin& skin, const SkinTree& tree, const Bvh& bvh) {
  apart_.resize(vertices_.size());
  parallel_for(tree.leaves(), 16, [&](int begin, int end) {
    std::vector<int> near;
    for (int leaf = begin; leaf < end; ++leaf) {
      Box box;
      double most = 0;
      for (const int v : tree.vertices(leaf)) {
        apart_[v] = std::max(least_, smooth * vertices_[v].edge);
        most = std::max(most, apart_[v]);
        box.add(skin.rest[v]);
      }
      near.clear();
      bvh.triangles_in({box.low - Vec3::Constant(most), box.high + Vec3::Constant(most)}, near);
      for (const int v : tree.vertices(leaf))
        for (const int t : near) {
          if (normals_agree(vertices_[v], triangles_[t])) continue;  // no nearer than that
          const Vec3& x = skin.rest[v];
          const auto [i, j, k] = skin.triangles[t];
          const double surely_far = apart_[v] + triangles_[t].edge;
          if ((x - skin.rest[i]).squaredNorm() > surely_far * surely_far) continue;
          const double distance =
              closest_on_triangle(x, skin.rest[i], skin.rest[j], skin.rest[k]).distance;
          if (distance < apart_[v] && may_touch(skin, v, t)) apart_[v] = distance;
        }
    }
  });
}

bool RestExclusions::may_cross(const Skin& skin, const SkinTopology& topology, int edge,
                               int other) const {
  const auto [i, j] = topology.edges[edge].vertex;
  const auto [k, l] = topology.edges[other].vertex;
  if (const std::vector<int>& part = skin.provenance.apart; !part.empty())
    return part[i] != part[k];
  if (i == k || i == l || j == k || j == l) return false;
  const Feature &first = vertices_[i], &second = vertices_[k];
  if (first.buried || second.buried || vertices_[j].buried || vertices_[l].buried) return false;
  const Vec3 &a0 = skin.rest[i], &a1 = skin.rest[j], &b0 = skin.rest[k], &b1 = skin.rest[l];
  const double length = (a1 - a0).norm(), other_length = (b1 - b0).norm();
  // No nearer than what their vertices may touch.
  const double near = std::max(neighbourhood(length, other_length),
                               std::min({apart_[i], apart_[j], apart_[k], apart_[l]}));
  const Vec3 between = 0.5 * (b0 + b1 - a0 - a1);
  if (between.norm() < near + 0.5 * (length + other_length) &&
      closest_between_segments(a0, a1, b0, b1).distance < near)
    return false;
  const auto normal = [&](const SkinTopology::Edge& of) {
    Vec3 sum = triangles_[of.face[0]].normal;
    if (of.face[1] >= 0) sum += triangles_[of.face[1]].normal;
    return Vec3(sum.normalized());
  };
  return !is_same_flesh(between, normal(topology.edges[edge]), normal(topology.edges[other]),
                        std::max(length, other_length), std::min(first.depth, second.depth));
}

}  // namespace pliant
