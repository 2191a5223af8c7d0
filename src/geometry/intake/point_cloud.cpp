#include "geometry/intake/point_cloud.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "core/errors.h"
#include "core/parallel.h"
#include "geometry/intake/outliers.h"
#include "geometry/mesh/topology.h"

// A closing, as in image processing: grow the points by a radius that bridges their gaps, fill what
// cannot be reached from outside, shrink by the same radius. All on a grid of distances; the
// surface is drawn from it by marching tetrahedra, which never leave a hole. The radius is the
// smallest one with which most points lie on what is filled: some corner closes with any.

namespace pliant {
namespace {

constexpr double bridged = 2.5;        // radius of growing, in typical distances
constexpr double more = 1.4;           // times as much when that is not enough
constexpr double most_bridged = 5;     // in typical distances, or else
constexpr double most_of_size = 0.12;  // of the longest side: more would be another shape
constexpr double least_radius = 1.6;   // in cells, so that the grid sees it
constexpr double most_cells = 56;      // along the longest side
constexpr int most_points_a_cell = 6;  // more tell nothing new
constexpr int samples_of_spacing = 200;
constexpr int samples_of_covered = 4000;
constexpr double well_covered = 0.95;   // share of points on what is filled: no need to look on
constexpr double hardly_covered = 0.6;  // less: a shell tells more of the points
constexpr double least_part = 0.005;    // of the volume: what is smaller is a crumb of the grid
constexpr double outlier_distance = 5;  // in typical distances

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

/// Depth below the surface of the grown points; negative outside of it. Every node just outside
/// tells those around it how deep they are at most.
std::vector<double> depths(const Grid& grid, const std::vector<double>& distance,
                           const std::vector<char>& outside, double radius) {
  const int window = int(std::ceil(radius / grid.cell)) + 2;
  std::vector<double> depth(distance.size(), window * grid.cell);
  std::vector<std::vector<int>> rim(std::size_t(grid.count.z()));  // by layers of the grid
  for (int n = 0; n < grid.size(); ++n)
    if (outside[n]) {
      depth[n] = radius - distance[n];
      if (distance[n] < radius + 2 * grid.cell) rim[grid.at(n).z()].push_back(n);
    }
  parallel_for(grid.count.z(), 2, [&](int begin, int end) {
    const int lowest = std::max(0, begin - window);
    const int highest = std::min(grid.count.z() - 1, end - 1 + window);
    for (int layer = lowest; layer <= highest; ++layer)
      for (const int node : rim[layer]) {
        const Index at = grid.at(node);
        const Index low = (at - Index::Constant(window)).cwiseMax(Index(0, 0, begin));
        const Index high = (at + Index::Constant(window))
                               .cwiseMin(Index(grid.count.x() - 1, grid.count.y() - 1, end - 1));
        for (int k = low.z(); k <= high.z(); ++k)
          for (int j = low.y(); j <= high.y(); ++j)
            for (int i = low.x(); i <= high.x(); ++i) {
              const int place = grid.place({i, j, k});
              if (outside[place]) continue;
              const double apart = grid.cell * (Index(i, j, k) - at).cast<double>().norm();
              depth[place] = std::min(depth[place], apart - (distance[node] - radius));
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

/// What the points fill when grown by `radius`.
struct Filling {
  Grid grid;
  double radius;
  std::vector<double> depth;

  Filling(const std::vector<Vec3>& points, const Box& box, double cell, double growth)
      : radius(growth) {
    const double room = radius + 3 * cell;
    grid = {box.low - Vec3::Constant(room), cell, {}};
    grid.count =
        ((box.extent().array() + 2 * room) / cell).ceil().matrix().cast<int>() + Index::Ones();
    const std::vector<double> distance = distances(grid, points, room);
    depth = depths(grid, distance, reached_from_outside(grid, distance, radius), radius);
  }

  /// Whether something of a body lies near a point. Along a mere sheet of points the depth is the
  /// radius at most.
  bool covers(const Vec3& p) const {
    const Index low = grid.clamp(p - Vec3::Constant(radius));
    const Index high = grid.clamp(p + Vec3::Constant(radius + grid.cell));
    for (int k = low.z(); k <= high.z(); ++k)
      for (int j = low.y(); j <= high.y(); ++j)
        for (int i = low.x(); i <= high.x(); ++i)
          if (depth[grid.place({i, j, k})] > 1.2 * radius) return true;
    return false;
  }

  double covered(const std::vector<Vec3>& points) const {
    const std::size_t stride = std::max<std::size_t>(1, points.size() / samples_of_covered);
    int asked = 0, yes = 0;
    for (std::size_t i = 0; i < points.size(); i += stride, ++asked) yes += covers(points[i]);
    return double(yes) / asked;
  }

  /// The surface `shrink` below that of the grown points.
  TriangleMesh surface(double shrink) const {
    std::vector<double> value = depth;
    for (double& d : value) d -= shrink;
    return Marcher(grid, value).march();
  }
};

/// Without crumbs: where a part is thinner than the cells, the grid cuts it into bits.
TriangleMesh without_crumbs(TriangleMesh mesh) {
  const std::vector<int> shell = shell_of_triangles(mesh);
  std::vector<double> volumes;
  for (std::size_t t = 0; t < shell.size(); ++t) {
    if (shell[t] >= int(volumes.size())) volumes.resize(std::size_t(shell[t]) + 1, 0);
    const Triangle& triangle = mesh.triangles[t];
    volumes[shell[t]] +=
        mesh.points[triangle[0]].dot(mesh.points[triangle[1]].cross(mesh.points[triangle[2]])) / 6;
  }
  double whole = 0;
  for (const double v : volumes) whole += v;
  TriangleMesh kept;
  std::vector<int> number(mesh.points.size(), -1);
  for (std::size_t t = 0; t < shell.size(); ++t) {
    if (std::abs(volumes[shell[t]]) < least_part * whole) continue;
    Triangle triangle = mesh.triangles[t];
    for (int& p : triangle) {
      if (number[p] < 0) {
        number[p] = int(kept.points.size());
        kept.points.push_back(mesh.points[p]);
      }
      p = number[p];
    }
    kept.triangles.push_back(triangle);
  }
  return kept;
}

}  // namespace

CloudSurface surface_around(const std::vector<Vec3>& all) {
  if (all.size() < 10)
    throw InputError("", "", "is a cloud of only " + std::to_string(all.size()) + " points",
                     "at least 10 are needed to draw a surface around them");
  CloudSurface result;
  result.spacing = typical_distance(all);
  const std::vector<Vec3> points = without_outliers(all, outlier_distance * result.spacing);
  result.left_out = int(all.size() - points.size());
  const Box box = bounds(points);
  const double longest = box.extent().maxCoeff();
  if (!(box.extent().minCoeff() > 1e-9 * longest))
    throw InputError("", "", "is a cloud of points in a plane, which encloses no volume");
  result.cell = std::max(result.spacing, longest / most_cells);

  // Scattered points leave larger gaps than regular ones, but a needless radius fills real dents.
  const double first = std::max(bridged * result.spacing, least_radius * result.cell);
  const double last = std::max({first, most_bridged * result.spacing, most_of_size * longest});
  double best = 0;
  for (double radius = first; radius <= last && best < well_covered; radius *= more) {
    const Filling filling(points, box, result.cell, radius);
    const double covered = filling.covered(points);
    if (covered <= best || covered < hardly_covered) continue;
    best = covered;
    result.mesh = without_crumbs(filling.surface(radius));
  }
  if (!result.mesh.triangles.empty()) return result;
  // A side is missing, so nothing is enclosed: a shell along the points remains.
  result.mesh = Filling(points, box, result.cell, first).surface(0.5 * first);
  if (result.mesh.triangles.empty())
    throw InputError("", "", "is a cloud of points that encloses nothing");
  result.is_shell = true;
  return result;
}

}  // namespace pliant
