#include "geometry/track/lattice.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/parallel.h"

namespace pliant::track {
namespace {

constexpr std::int64_t unit = std::int64_t(1) << 21;  // of a cell
constexpr double rounding = double(std::int64_t(1) << 20);
constexpr double farthest = 1e9;              // cells from the origin: units must not overflow
constexpr std::int64_t widest = 1000 * unit;  // of a triangle: so that products fit 64 bits

// Lines pass one unit below whole numbers: rounded points have even coordinates, so none lies on
// a line, and a point on a plane counts as above it, as in slices.
std::int64_t line_at(std::int64_t k) { return k * unit - 1; }
int first_line(std::int64_t low) { return int((low + 1 + unit - 1) >> 21); }
int last_line(std::int64_t high) { return int((high + 1) >> 21); }

}  // namespace

bool Lattice::lay(const std::vector<Vec3>& points, const std::vector<Triangle>& triangles,
                  double size, const Vec3& shifted, std::size_t most_nodes) {
  cell = size;
  shift = shifted;
  low = count = {};
  start_ = {};
  inside.clear();
  winding.clear();
  if (!round_points(points)) return false;
  Box box;
  for (const Triangle& t : triangles)
    for (const int p : t) box.add(places_[p]);
  if (box.empty()) return false;
  double nodes = 1;
  for (int a = 0; a < 3; ++a) {
    low[a] = int(std::floor(box.low[a])) - 3;
    count[a] = int(std::ceil(box.high[a])) + 4 - low[a];
    nodes *= count[a];
  }
  bool fits = nodes <= double(most_nodes);
  for (const Triangle& t : triangles)
    for (int a = 0; a < 3; ++a) {
      const auto [least, most] = std::minmax({units_[t[0]][a], units_[t[1]][a], units_[t[2]][a]});
      fits = fits && most - least <= widest;
    }
  if (!fits) low = count = {};
  return fits;
}

bool Lattice::round_points(const std::vector<Vec3>& points) {
  places_.resize(points.size());
  units_.resize(points.size());
  for (std::size_t p = 0; p < points.size(); ++p) {
    const Vec3 q = to_cells(points[p]);
    if (!q.allFinite() || q.cwiseAbs().maxCoeff() >= farthest) return false;
    for (int a = 0; a < 3; ++a) {
      const std::int64_t rounded = std::llrint(q[a] * rounding);
      units_[p][a] = 2 * rounded;
      places_[p][a] = double(rounded) / rounding;
    }
  }
  return true;
}

void Lattice::scan(const std::vector<Triangle>& triangles) {
  parallel_for(3, 1, [&](int begin, int end) {
    for (int axis = begin; axis < end; ++axis) scan_axis(triangles, axis);
  });
  wind();
}

void Lattice::scan_axis(const std::vector<Triangle>& triangles, int axis) {
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  struct Found {
    int line;
    Crossing crossing;
  };
  std::vector<Found> found;
  found.reserve(2 * triangles.size());
  for (int t = 0; t < int(triangles.size()); ++t) {
    const Triangle& i = triangles[t];
    const Unit &a = units_[i[0]], &b = units_[i[1]], &c = units_[i[2]];
    const auto [u_low, u_high] = std::minmax({a[u], b[u], c[u]});
    const auto [v_low, v_high] = std::minmax({a[v], b[v], c[v]});
    const int k_end = last_line(u_high), l_end = last_line(v_high);
    for (int l = first_line(v_low); l <= l_end; ++l)
      for (int k = first_line(u_low); k <= k_end; ++k) {
        const std::int64_t pu = line_at(k), pv = line_at(l);
        double edge[3];
        int side[3];
        for (int e = 0; e < 3; ++e) {
          int from = i[e], to = i[e == 2 ? 0 : e + 1];
          const bool swapped = from > to;
          if (swapped) std::swap(from, to);
          const Unit &p = units_[from], &q = units_[to];
          const std::int64_t area = (q[u] - p[u]) * (pv - p[v]) - (q[v] - p[v]) * (pu - p[u]);
          side[e] = (area >= 0) != swapped ? 1 : -1;
          edge[e] = swapped ? -double(area) : double(area);
        }
        if (side[0] != side[1] || side[1] != side[2]) continue;
        const double sum = edge[0] + edge[1] + edge[2];
        const double pa = places_[i[0]][axis], pb = places_[i[1]][axis], pc = places_[i[2]][axis];
        const double at =
            sum != 0 ? (edge[1] * pa + edge[2] * pb + edge[0] * pc) / sum : (pa + pb + pc) / 3;
        found.push_back({(l - low[v]) * count[u] + (k - low[u]), {at, t, -side[0]}});
      }
  }
  std::vector<int>& start = start_[axis];
  std::vector<Crossing>& crossings = crossings_[axis];
  const std::size_t lines = std::size_t(count[u]) * count[v];
  start.assign(lines + 2, 0);
  for (const Found& f : found) ++start[f.line + 2];
  for (std::size_t l = 2; l < start.size(); ++l) start[l] += start[l - 1];
  crossings.resize(found.size());
  for (const Found& f : found) crossings[start[f.line + 1]++] = f.crossing;
  start.pop_back();
  for (std::size_t l = 0; l < lines; ++l)
    if (start[l + 1] - start[l] > 1)
      std::stable_sort(crossings.begin() + start[l], crossings.begin() + start[l + 1],
                       [](const Crossing& x, const Crossing& y) { return x.at < y.at; });
}

void Lattice::wind() {
  winding.assign(nodes(), 0);
  parallel_for(int(lines(0)), 1024, [&](int begin, int end) {
    for (int l = begin; l < end; ++l) {
      const std::span<const Crossing> row = line(0, std::size_t(l));
      if (row.empty()) continue;
      std::int8_t* at = &winding[std::size_t(l) * count[0]];
      std::size_t c = 0;
      int turns = 0;
      for (int i = 0; i < count[0] && (c < row.size() || turns != 0); ++i) {
        while (c < row.size() && row[c].at <= i + low[0]) turns += row[c++].turn;
        at[i] = std::int8_t(std::clamp(turns, -100, 100));
      }
    }
  });
  inside.resize(winding.size());
  for (std::size_t n = 0; n < inside.size(); ++n) inside[n] = winding[n] > 0 ? held : outside;
}

Lattice::Node Lattice::line_begin(int axis, std::size_t line) const {
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  Node n;
  n[axis] = low[axis];
  n[u] = low[u] + int(line % count[u]);
  n[v] = low[v] + int(line / count[u]);
  return n;
}

Lattice::Node Lattice::nearest(const Vec3& p) const {
  // Points far away must not overflow; all of them are outside.
  const Vec3 q = to_cells(p).cwiseMax(-farthest).cwiseMin(farthest);
  return {int(std::lrint(q[0])), int(std::lrint(q[1])), int(std::lrint(q[2]))};
}

void Lattice::mark_crossed() {
  crossed.assign(nodes(), 0);
  for (int axis = 0; axis < 3; ++axis)
    for (std::size_t l = 0; l < lines(axis); ++l)
      for (const Crossing& c : line(axis, l)) {
        Node n = line_begin(axis, l);
        n[axis] = int(std::ceil(c.at)) - 1;  // a node on the surface lies behind the crossing
        crossed[number(n)] = std::uint8_t(crossed[number(n)] | 1 << axis);
      }
}

}  // namespace pliant::track
