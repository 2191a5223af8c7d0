#include "geometry/intake/point_cloud.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "core/errors.h"
#include "core/parallel.h"

// A closing, as in image processing: grow the points by a radius that bridges their gaps, fill what
// cannot be reached from outside, shrink by the same radius. All on a grid of distances; the
// surface is drawn from it by marching tetrahedra, which never leave a hole.

namespace pliant {
namespace {

constexpr double bridged[] = {2.5, 3.5, 5};  // radius of growing, in typical distances
constexpr double least_radius = 1.6;         // in cells, so that the grid sees it
constexpr double most_cells = 56;            // along the longest side
constexpr int most_points_a_cell = 6;        // more tell nothing new
constexpr int samples_of_spacing = 200;

using Index = Eigen::Vector3i;

double typical_distance(const std::vector<Vec3>& points) {
  std::vector<double> nearest;
  const std::size_t stride = std::max<std::size_t>(1, points.size() / samples_of_spacing);
  for (std::size_t i = 0; i < points.size(); i += stride) {
    double best = std::numeric_limits<double>::infinity();
    for (const Vec3& q : points) {
      const double d2 = (q - points[i]).squaredNorm();
      if (d2 > 0 && d2 < best) best = d2;
    }
    if (std::isfinite(best)) nearest.push_back(std::sqrt(best));
  }
  if (nearest.empty()) return 0;
  std::nth_element(nearest.begin(), nearest.begin() + std::ptrdiff_t(nearest.size() / 2),
                   nearest.end());
  return nearest[nearest.size() / 2];
}

struct Grid {
  Vec3 origin;
  double cell;
  Index count;  // nodes

  int size() const { return count.prod(); }
  int place(const Index& at) const { return at.x() + count.x() * (at.y() + count.y() * at.z()); }
  Index at(int place) const {
    return {place % count.x(), place / count.x() % count.y(), place / count.x() / count.y()};
  }
  Vec3 node(const Index& at) const { return origin + cell * at.cast<double>(); }
  Index clamp(const Vec3& p) const {
    const Vec3 x = ((p - origin) / cell).array().floor();
    return x.cwiseMax(0).cast<int>().cwiseMin(count - Index::Ones());
  }
  bool holds(const Index& at) const {
    return (at.array() >= 0).all() && (at.array() < count.array()).all();
  }
};

/// Distance to the nearest point, exact up to `reach`, which is what is left elsewhere.
std::vector<double> distances(const Grid& grid, const std::vector<Vec3>& points, double reach) {
  std::vector<double> distance(std::size_t(grid.size()), reach);
  std::vector<int> used(std::size_t(grid.size()), 0);
  for (const Vec3& p : points) {
    if (++used[grid.place(grid.clamp(p))] > most_points_a_cell) continue;
    const Index low = grid.clamp(p - Vec3::Constant(reach));
    const Index high = grid.clamp(p + Vec3::Constant(reach + grid.cell));
    for (int k = low.z(); k <= high.z(); ++k)
      for (int j = low.y(); j <= high.y(); ++j)
        for (int i = low.x(); i <= high.x(); ++i) {
          double& d = distance[grid.place({i, j, k})];
          d = std::min(d, (grid.node({i, j, k}) - p).norm());
        }
  }
  return distance;
}

std::vector<char> reached_from_outside(const Grid& grid, const std::vector<double>& distance,
                                       double radius) {
  std::vector<char> outside(distance.size(), 0);
  std::vector<int> waiting = {0};
  outside[0] = 1;  // the grid's corner is far from all points
  while (!waiting.empty()) {
    const Index at = grid.at(waiting.back());
    waiting.pop_back();
    for (int axis = 0; axis < 3; ++axis)
      for (const int step : {-1, 1}) {
        Index next = at;
        next[axis] += step;
        if (!grid.holds(next)) continue;
        const int place = grid.place(next);
        if (outside[place] || distance[place] <= radius) continue;
        outside[place] = 1;
        waiting.push_back(place);
      }
  }
  return outside;
}

/// Depth below the surface of the grown points; negative outside of it.
std::vector<double> depths(const Grid& grid, const std::vector<double>& distance,
                           const std::vector<char>& outside, double radius) {
  const int window = int(std::ceil(radius / grid.cell)) + 2;
  const double deepest = window * grid.cell;
  std::vector<double> depth(distance.size());
  parallel_for(grid.size(), 512, [&](int begin, int end) {
    for (int n = begin; n < end; ++n) {
      if (outside[n]) {
        depth[n] = radius - distance[n];
        continue;
      }
      depth[n] = deepest;
      const Index at = grid.at(n);
      for (int k = -window; k <= window; ++k)
        for (int j = -window; j <= window; ++j)
          for (int i = -window; i <= window; ++i) {
            const Index other = at + Index(i, j, k);
            if (!grid.holds(other)) continue;
            const int place = grid.place(other);
            if (!outside[place]) continue;
            const double apart = grid.cell * Vec3(i, j, k).norm();
            depth[n] = std::min(depth[n], apart - (distance[place] - radius));
          }
    }
  });
  return depth;
}

/// Marching tetrahedra over `value`, which is positive inside. Six tets a cube, all along its
/// diagonal.
class Marcher {
 public:
  Marcher(const Grid& grid, const std::vector<double>& value) : grid_(grid), value_(value) {}

  TriangleMesh march() {
    static constexpr int ways[6][2] = {{1, 3}, {1, 5}, {2, 3}, {2, 6}, {4, 5}, {4, 6}};
    for (int k = 0; k + 1 < grid_.count.z(); ++k)
      for (int j = 0; j + 1 < grid_.count.y(); ++j)
        for (int i = 0; i + 1 < grid_.count.x(); ++i) {
          const auto corner = [&](int mask) {
            return grid_.place({i + (mask & 1), j + (mask >> 1 & 1), k + (mask >> 2)});
          };
          for (const auto& way : ways)
            add_tet({corner(0), corner(way[0]), corner(way[1]), corner(7)});
        }
    return std::move(mesh_);
  }

 private:
  bool inside(int node) const { return value_[node] > 0; }

  int crossing(int a, int b) {
    if (a > b) std::swap(a, b);
    const std::uint64_t key = std::uint64_t(a) * std::uint64_t(grid_.size()) + std::uint64_t(b);
    const auto [found, is_new] = vertices_.try_emplace(key, int(mesh_.points.size()));
    if (is_new) {
      // Away from the nodes: no triangles without area.
      const double s = std::clamp(value_[a] / (value_[a] - value_[b]), 0.08, 0.92);
      mesh_.points.push_back((1 - s) * grid_.node(grid_.at(a)) + s * grid_.node(grid_.at(b)));
    }
    return found->second;
  }

  void add_triangle(int a, int b, int c, const Vec3& outwards) {
    const auto& p = mesh_.points;
    if ((p[b] - p[a]).cross(p[c] - p[a]).dot(outwards) < 0) std::swap(b, c);
    mesh_.triangles.push_back({a, b, c});
  }

  void add_tet(const Tet& tet) {
    std::vector<int>& in = in_;
    std::vector<int>& out = out_;
    in.clear();
    out.clear();
    for (const int node : tet) (inside(node) ? in : out).push_back(node);
    if (in.empty() || out.empty()) return;
    Vec3 outwards = Vec3::Zero();
    for (const int node : out) outwards += grid_.node(grid_.at(node)) / double(out.size());
    for (const int node : in) outwards -= grid_.node(grid_.at(node)) / double(in.size());
    if (in.size() == 2) {
      const int a = crossing(in[0], out[0]), b = crossing(in[0], out[1]);
      const int c = crossing(in[1], out[1]), d = crossing(in[1], out[0]);
      add_triangle(a, b, c, outwards);
      add_triangle(a, c, d, outwards);
      return;
    }
    const bool one_in = in.size() == 1;
    const int tip = one_in ? in[0] : out[0];
    const std::vector<int>& base = one_in ? out : in;
    add_triangle(crossing(tip, base[0]), crossing(tip, base[1]), crossing(tip, base[2]), outwards);
  }

  const Grid& grid_;
  const std::vector<double>& value_;
  TriangleMesh mesh_;
  std::unordered_map<std::uint64_t, int> vertices_;
  std::vector<int> in_, out_;
};

/// False when the grown points enclose nothing and no shell is asked for.
bool draw(const std::vector<Vec3>& points, const Box& box, double radius, bool shell,
          CloudSurface& result) {
  const double room = radius + 3 * result.cell;
  Grid grid{box.low - Vec3::Constant(room), result.cell, {}};
  grid.count =
      ((box.extent().array() + 2 * room) / result.cell).ceil().matrix().cast<int>() + Index::Ones();
  const std::vector<double> distance = distances(grid, points, room);
  const std::vector<char> outside = reached_from_outside(grid, distance, radius);
  std::vector<double> depth = depths(grid, distance, outside, radius);
  const double deepest = *std::max_element(depth.begin(), depth.end());
  if (!shell && !(deepest > 1.2 * radius)) return false;
  for (double& d : depth) d -= shell ? 0.5 * radius : radius;
  result.mesh = Marcher(grid, depth).march();
  return !result.mesh.triangles.empty();
}

}  // namespace

CloudSurface surface_around(const std::vector<Vec3>& points) {
  if (points.size() < 10)
    throw InputError("", "", "is a cloud of only " + std::to_string(points.size()) + " points",
                     "at least 10 are needed to draw a surface around them");
  const Box box = bounds(points);
  const double longest = box.extent().maxCoeff();
  if (!(box.extent().minCoeff() > 1e-9 * longest))
    throw InputError("", "", "is a cloud of points in a plane, which encloses no volume");
  CloudSurface result;
  result.spacing = typical_distance(points);
  result.cell = std::max(result.spacing, longest / most_cells);
  // Scattered points leave larger gaps than regular ones, but a needless radius fills real dents.
  for (const double factor : bridged)
    if (draw(points, box, std::max(factor * result.spacing, least_radius * result.cell), false,
             result))
      return result;
  // A side is missing, so nothing is enclosed: a shell along the points remains.
  if (!draw(points, box, std::max(bridged[0] * result.spacing, least_radius * result.cell), true,
            result))
    throw InputError("", "", "is a cloud of points that encloses nothing");
  result.is_shell = true;
  return result;
}

}  // namespace pliant
