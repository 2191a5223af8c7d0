#include "geometry/track/crossing_faces.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "core/parallel.h"

namespace pliant::track {
namespace {

constexpr int directions = 13;  // along axes and diagonals, each with its opposite
constexpr std::uint32_t all_refused = (1u << 2 * directions) - 1;
constexpr double near_cosine = 0.2;  // of 78 degrees

std::array<Vec3, directions> sampled_sphere() {
  std::array<Vec3, directions> found;
  int count = 0;
  for (int i = 14; i < 27; ++i)  // the half of {-1, 0, 1}^3 after its middle
    found[count++] = Vec3(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1).normalized();
  return found;
}

// A bit for each direction that is not near the normal.
std::uint32_t refused(const Vec3& normal, const std::array<Vec3, directions>& sphere) {
  std::uint32_t bits = 0;
  for (int d = 0; d < directions; ++d) {
    const double cosine = normal.dot(sphere[d]);
    bits |= std::uint32_t(cosine < near_cosine) << 2 * d;
    bits |= std::uint32_t(-cosine < near_cosine) << (2 * d + 1);
  }
  return bits;
}

struct CellRange {
  std::array<std::int32_t, 3> low, high;
};

bool pierces(const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 n = (b - a).cross(c - a);
  const double below = n.dot(p - a), above = n.dot(q - a);
  if ((below > 0) == (above > 0)) return false;
  const Vec3 x = p + (q - p) * (below / (below - above));
  return (b - a).cross(x - a).dot(n) >= 0 && (c - b).cross(x - b).dot(n) >= 0 &&
         (a - c).cross(x - c).dot(n) >= 0;
}

bool pass_through(const TrackedSurface& surface, int first, int second) {
  const Triangle &s = surface.triangles[first], &t = surface.triangles[second];
  for (const int i : s)
    for (const int j : t)
      if (i == j) return false;
  const auto& x = surface.points;
  for (int k = 0; k < 3; ++k) {
    if (pierces(x[s[k]], x[s[(k + 1) % 3]], x[t[0]], x[t[1]], x[t[2]])) return true;
    if (pierces(x[t[k]], x[t[(k + 1) % 3]], x[s[0]], x[s[1]], x[s[2]])) return true;
  }
  return false;
}

}  // namespace

int find_crossing_faces(const TrackedSurface& surface, const std::vector<Vec3>& normal,
                        const Lattice& lattice, CellSet& cells) {
  const int count = int(surface.triangles.size());
  const std::vector<Vec3>& place = lattice.places();
  const std::array<Vec3, directions> sphere = sampled_sphere();
  std::vector<std::uint32_t> bits(normal.size());
  std::vector<CellRange> range(normal.size());
  parallel_for(count, 4096, [&](int begin, int end) {
    for (int t = begin; t < end; ++t) {
      const Triangle& i = surface.triangles[t];
      bits[t] = normal[t].isZero(0) ? 0 : refused(normal[t], sphere);
      const Vec3 low = place[i[0]].cwiseMin(place[i[1]]).cwiseMin(place[i[2]]);
      const Vec3 high = place[i[0]].cwiseMax(place[i[1]]).cwiseMax(place[i[2]]);
      for (int a = 0; a < 3; ++a) {
        range[t].low[a] = int(std::floor(low[a]));
        range[t].high[a] = int(std::floor(high[a]));
      }
    }
  });
  const auto each_cell = [&](int t, const auto& visit) {
    const auto& [low, high] = range[t];
    for (int z = low[2]; z <= high[2]; ++z)
      for (int y = low[1]; y <= high[1]; ++y) {
        const std::size_t row = lattice.number({low[0], y, z});
        for (int x = low[0]; x <= high[0]; ++x) visit(row + std::size_t(x - low[0]));
      }
  };
  std::vector<std::uint32_t> refused_in(lattice.nodes(), 0);
  bool apart = false;
  for (int t = 0; t < count; ++t)
    each_cell(t, [&](std::size_t cell) {
      refused_in[cell] |= bits[t];
      apart = apart || refused_in[cell] == all_refused;
    });
  if (!apart) return 0;

  std::vector<std::pair<std::size_t, int>> crowded;  // cell, triangle
  for (int t = 0; t < count; ++t)
    each_cell(t, [&](std::size_t cell) {
      if (refused_in[cell] == all_refused) crowded.emplace_back(cell, t);
    });
  std::sort(crowded.begin(), crowded.end());
  std::vector<std::pair<int, int>> pairs;
  for (auto begin = crowded.begin(); begin != crowded.end();) {
    auto end = begin;
    while (end != crowded.end() && end->first == begin->first) ++end;
    for (auto a = begin; a != end; ++a)
      for (auto b = a + 1; b != end; ++b)
        if (pass_through(surface, a->second, b->second)) pairs.emplace_back(a->second, b->second);
    begin = end;
  }
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  for (const auto& [s, t] : pairs)
    for (const int triangle : {s, t}) {
      const Triangle& i = surface.triangles[triangle];
      cells.add_at((place[i[0]] + place[i[1]] + place[i[2]]) / 3);
      for (const int p : i) cells.add_at(place[p]);
    }
  return int(pairs.size());
}

}  // namespace pliant::track
