#include "geometry/coarsen/collapse.h"

#include <algorithm>
#include <array>
#include <queue>

#include "core/assert.h"
#include "geometry/coarsen/quadric.h"
#include "geometry/query/bvh.h"

// Half-edge collapses: a vertex moves onto a neighbour and is gone, so the vertices that stay are
// given ones. Order: quadrics (Garland and Heckbert 1997) and length. What may be collapsed: the
// link condition (Dey et al. 1999) keeps the topology, the distance of every given point from the
// triangles that take the place of those it lay on keeps the shape. So creases and spikes stay as
// far as they matter, without being told apart from noise.

namespace pliant {
namespace {

constexpr double least_cosine = 0.3;        // of a triangle's normals before and after
constexpr double least_height = 0.05;       // of a new triangle: shortest height over longest edge
constexpr double share_of_thickness = 0.2;  // how far a side of a thin solid may go,
constexpr double least_share = 0.25;        // but so much of the distance: wedges end in nothing
constexpr double large = 4;                 // edges of a triangle, in distances
constexpr double weight_of_length = 0.3;    // against the distance, both as shares of their limits

struct Edge {
  double cost;
  int from, to;
  int age;  // of both ends together when the cost was found

  bool operator<(const Edge& other) const {  // the least cost comes first out of the queue
    if (cost != other.cost) return cost > other.cost;
    return from != other.from ? from > other.from : to > other.to;
  }
};

class Collapse {
 public:
  Collapse(const TriangleMesh& mesh, const CollapseLimits& limits)
      : points_(mesh.points),
        thickness_(limits.thickness),
        limits_(limits),
        distance_(limits.distance),
        triangles_(mesh.triangles),
        lying_(mesh.triangles.size()),
        around_(mesh.points.size()),
        quadric_(mesh.points.size()),
        age_(mesh.points.size(), 0),
        kind_(mesh.points.size(), Kind::inner),
        is_gone_(mesh.triangles.size(), 0),
        left_(int(mesh.triangles.size())) {
    for (int t = 0; t < int(triangles_.size()); ++t)
      for (const int v : triangles_[t]) around_[v].push_back(t);
    for (int v = 0; v < int(points_.size()); ++v) find_kind(v);
    for (int t = 0; t < int(triangles_.size()); ++t) add_quadrics(t);
    for (int t = 0; t < int(triangles_.size()); ++t) add_samples(t);
  }

  void run() {
    for (;;) {
      for (int v = 0; v < int(around_.size()); ++v) push_edges_of(v, false);
      while (!queue_.empty()) {
        const Edge edge = queue_.top();
        queue_.pop();
        if (edge.age != age_[edge.from] + age_[edge.to]) continue;
        if (around_[edge.from].empty() || !may_collapse(edge.from, edge.to)) continue;
        collapse(edge.from, edge.to);
      }
      if (left_ <= limits_.enough || 2 * distance_ > limits_.most_distance) return;
      distance_ *= 2;
    }
  }

  CoarseSurface result(const TriangleMesh& given) const {
    CoarseSurface made;
    std::vector<int> number(around_.size(), -1);
    for (int v = 0; v < int(around_.size()); ++v) {
      if (around_[v].empty()) continue;
      number[v] = int(made.point.size());
      made.point.push_back(v);
      made.mesh.points.push_back(given.points[v]);
    }
    for (int t = 0; t < int(triangles_.size()); ++t) {
      if (is_gone_[t]) continue;
      const Triangle& corner = triangles_[t];
      made.mesh.triangles.push_back({number[corner[0]], number[corner[1]], number[corner[2]]});
    }
    return made;
  }

 private:
  enum class Kind : char { inner, rim, fixed };

  static bool has(const Triangle& t, int v) { return t[0] == v || t[1] == v || t[2] == v; }

  Vec3 area_vector(const Triangle& t) const {
    return (points_[t[1]] - points_[t[0]]).cross(points_[t[2]] - points_[t[0]]);
  }

  /// Neighbours of a vertex, rising, each once for every triangle they share.
  void find_ring(int v, std::vector<int>& ring) const {
    ring.clear();
    for (const int t : around_[v])
      for (const int w : triangles_[t])
        if (w != v) ring.push_back(w);
    std::sort(ring.begin(), ring.end());
  }

  /// A manifold vertex has a fan of triangles: each neighbour twice, but for the two ends of a rim;
  /// and in one piece.
  void find_kind(int v) {
    find_ring(v, ring_);
    int ends = 0;
    for (std::size_t i = 0; i < ring_.size();) {
      std::size_t next = i;
      while (next < ring_.size() && ring_[next] == ring_[i]) ++next;
      if (next - i > 2) kind_[v] = Kind::fixed;
      ends += next - i == 1;
      i = next;
    }
    if (ends != 0 && ends != 2) kind_[v] = Kind::fixed;
    if (kind_[v] == Kind::fixed || ring_.empty()) return;
    if (fan_size(v) < int(around_[v].size())) kind_[v] = Kind::fixed;
    else if (ends == 2) kind_[v] = Kind::rim;
  }

  /// How many triangles of a vertex hang together with its first one by edges.
  int fan_size(int v) const {
    std::vector<int> reached = {around_[v][0]};
    for (std::size_t i = 0; i < reached.size(); ++i)
      for (const int other : around_[v]) {
        if (std::find(reached.begin(), reached.end(), other) != reached.end()) continue;
        int shared = 0;
        for (const int w : triangles_[reached[i]]) shared += has(triangles_[other], w);
        if (shared >= 2) reached.push_back(other);
      }
    return int(reached.size());
  }

  int triangles_at(int a, int b) const {
    int count = 0;
    for (const int t : around_[a]) count += has(triangles_[t], b);
    return count;
  }

  void add_quadrics(int t) {
    const Triangle& corner = triangles_[t];
    const Vec3 doubled = area_vector(corner);
    const double area = 0.5 * doubled.norm();
    if (!(area > 0)) return;
    const Vec3 normal = doubled.normalized();
    for (int k = 0; k < 3; ++k) {
      quadric_[corner[k]].add_plane(normal, points_[corner[k]], area / 3);
      const int a = corner[k], b = corner[(k + 1) % 3];
      if (kind_[a] == Kind::inner || kind_[b] == Kind::inner || triangles_at(a, b) != 1) continue;
      // A rim is held by a wall that stands on it.
      const Vec3 along = points_[b] - points_[a];
      const Vec3 wall = normal.cross(along).normalized();
      for (const int v : {a, b}) quadric_[v].add_plane(wall, points_[v], along.squaredNorm());
    }
  }

  /// Large triangles also must not be missed between their corners: points inside of them, after
  /// the given ones.
  void add_samples(int t) {
    const Triangle& corner = triangles_[t];
    const Vec3 a = points_[corner[0]], b = points_[corner[1]], c = points_[corner[2]];
    const double longest = std::max({(a - b).norm(), (b - c).norm(), (c - a).norm()});
    if (longest < large * limits_.distance) return;
    for (const Vec3& p :
         {Vec3((a + b + c) / 3), Vec3(0.5 * (a + b)), Vec3(0.5 * (b + c)), Vec3(0.5 * (c + a))}) {
      lying_[t].push_back(int(points_.size()));
      points_.push_back(p);
      if (!thickness_.empty())
        thickness_.push_back(
            std::min({thickness_[corner[0]], thickness_[corner[1]], thickness_[corner[2]]}));
    }
  }

  void push(int from, int to) {
    if (kind_[from] == Kind::fixed) return;
    Quadric sum = quadric_[from];
    sum.add(quadric_[to]);
    const double off = sum.weight > 0 ? sum.at(points_[to]) / sum.weight : 0;
    const double length = (points_[to] - points_[from]).squaredNorm();
    const double cost = off / (limits_.distance * limits_.distance) +
                        weight_of_length * length / (limits_.longest * limits_.longest);
    queue_.push({cost, from, to, age_[from] + age_[to]});
  }

  void push_edges_of(int v, bool both_ways) {
    find_ring(v, ring_);
    ring_.erase(std::unique(ring_.begin(), ring_.end()), ring_.end());
    for (const int w : ring_) {
      push(v, w);
      if (both_ways) push(w, v);
    }
  }

  double distance_of(int v) const {
    if (thickness_.empty()) return distance_;
    return std::clamp(share_of_thickness * thickness_[v], least_share * limits_.distance,
                      distance_);
  }

  /// The common neighbours are the corners opposite the edge, so no two triangles become one.
  bool keeps_topology(int from, int to) {
    const int shared = triangles_at(from, to);
    if (shared != (kind_[from] == Kind::rim && kind_[to] != Kind::inner ? 1 : 2)) return false;
    if (kind_[from] == Kind::rim && kind_[to] == Kind::inner) return false;
    find_ring(from, ring_);
    ring_.erase(std::unique(ring_.begin(), ring_.end()), ring_.end());
    int common = 0;
    for (const int w : ring_) common += w != to && triangles_at(to, w) > 0;
    if (common != shared) return false;
    for (const int t : around_[from]) {  // of a tetrahedron two faces would fall together
      if (has(triangles_[t], to)) continue;
      const Triangle moved = replaced(triangles_[t], from, to);
      for (const int other : around_[to])
        if (has(triangles_[other], moved[0]) && has(triangles_[other], moved[1]) &&
            has(triangles_[other], moved[2]))
          return false;
    }
    return true;
  }

  static Triangle replaced(Triangle t, int from, int to) {
    for (int& v : t)
      if (v == from) v = to;
    return t;
  }

  bool is_well_shaped(const Triangle& before, const Triangle& after) const {
    double longest = 0;
    for (int k = 0; k < 3; ++k)
      longest = std::max(longest, (points_[after[k]] - points_[after[(k + 1) % 3]]).squaredNorm());
    if (longest > limits_.longest * limits_.longest) return false;
    const Vec3 was = area_vector(before), is = area_vector(after);
    const double area = is.norm();
    return area > least_height * longest && is.dot(was) > least_cosine * area * was.norm();
  }

  double distance_from(const Triangle& t, int point) const {
    return closest_on_triangle(points_[point], points_[t[0]], points_[t[1]], points_[t[2]])
        .distance;
  }

  /// Whether a point is as near to the new fan as it should be.
  bool is_near_fan(int point) const {
    const double distance = distance_of(point);
    return std::any_of(fan_.begin(), fan_.end(),
                       [&](const Triangle& t) { return distance_from(t, point) <= distance; });
  }

  bool may_collapse(int from, int to) {
    if (!keeps_topology(from, to)) return false;
    fan_.clear();
    for (const int t : around_[from]) {
      if (has(triangles_[t], to)) continue;
      fan_.push_back(replaced(triangles_[t], from, to));
      if (!is_well_shaped(triangles_[t], fan_.back())) return false;
    }
    if (fan_.empty() || !is_near_fan(from)) return false;
    for (const int t : around_[from])
      for (int& point : lying_[t])
        if (!is_near_fan(point)) {
          std::swap(point, lying_[t].front());  // it is likely to be in the way the next time, too
          return false;
        }
    return true;
  }

  void collapse(int from, int to) {
    std::vector<int> homeless = {from};
    std::vector<int> moved;
    for (const int t : around_[from]) {
      homeless.insert(homeless.end(), lying_[t].begin(), lying_[t].end());
      lying_[t].clear();
      if (!has(triangles_[t], to)) {
        triangles_[t] = replaced(triangles_[t], from, to);
        moved.push_back(t);
        continue;
      }
      is_gone_[t] = 1;
      --left_;
      for (const int w : triangles_[t])
        if (w != from) std::erase(around_[w], t);
    }
    around_[from].clear();
    around_[to].insert(around_[to].end(), moved.begin(), moved.end());
    quadric_[to].add(quadric_[from]);
    for (const int point : homeless) {
      const auto off = [&](int t) { return distance_from(triangles_[t], point); };
      lying_[*std::min_element(moved.begin(), moved.end(), [&](int a, int b) {
        return off(a) < off(b);
      })].push_back(point);
    }
    ++age_[to];
    push_edges_of(to, true);
  }

  std::vector<Vec3> points_;  // the given ones, and samples between them
  std::vector<double> thickness_;
  const CollapseLimits& limits_;
  double distance_;
  std::vector<Triangle> triangles_;
  std::vector<std::vector<int>> lying_;   // per triangle: removed points and samples nearest to it
  std::vector<std::vector<int>> around_;  // per vertex its triangles; empty = it is gone
  std::vector<Quadric> quadric_;
  std::vector<int> age_;  // per vertex: collapses onto it
  std::vector<Kind> kind_;
  std::vector<char> is_gone_;
  int left_;
  std::priority_queue<Edge> queue_;
  std::vector<int> ring_;
  std::vector<Triangle> fan_;
};

}  // namespace

CoarseSurface collapse_edges(const TriangleMesh& mesh, const CollapseLimits& limits) {
  ASSERT(limits.longest > 0 && limits.distance > 0, "edges need room to collapse in");
  ASSERT(limits.thickness.empty() || limits.thickness.size() == mesh.points.size(),
         "a thickness for each point");
  Collapse work(mesh, limits);
  work.run();
  return work.result(mesh);
}

}  // namespace pliant
