#include "geometry/sample/poisson.h"

#include <algorithm>
#include <cmath>

#include "core/assert.h"
#include "core/random.h"
#include "geometry/query/winding_number.h"

// Dart throwing in cells as large as the spacing. Cells away from the surface need no test of what
// is inside.

namespace pliant {
namespace {

constexpr int misses_allowed = 4000;  // in a row: a free share of the volume below 1 in 4000
constexpr double density = 0.75;      // points per cube of the spacing

enum class Cell : char { outside, inside, cut };

struct Cells {
  double edge;
  Vec3 low;
  Eigen::Vector3i count;
  std::vector<Cell> kind;
  std::vector<int> first, next;  // points in each cell

  int index(int i, int j, int k) const { return (k * count.y() + j) * count.x() + i; }
  Eigen::Vector3i of(const Vec3& p) const {
    const Eigen::Vector3i cell = ((p - low) / edge).array().floor().matrix().cast<int>();
    return cell.cwiseMax(0).cwiseMin(count - Eigen::Vector3i::Ones());
  }
};

template <class Work>
void for_range(const Eigen::Vector3i& low, const Eigen::Vector3i& high, const Work& work) {
  for (int k = low.z(); k <= high.z(); ++k)
    for (int j = low.y(); j <= high.y(); ++j)
      for (int i = low.x(); i <= high.x(); ++i) work(i, j, k);
}

Cells cells_of(const TriangleMesh& surface, double edge, const WindingNumber& winding) {
  const Box box = bounds(surface.points);
  Cells cells;
  cells.edge = edge;
  cells.low = box.low;
  cells.count =
      (box.extent() / edge).array().ceil().matrix().cast<int>().cwiseMax(Eigen::Vector3i::Ones());
  const std::size_t total = std::size_t(cells.count.cast<std::int64_t>().prod());
  cells.kind.assign(total, Cell::outside);
  cells.first.assign(total, -1);
  for (const Triangle& t : surface.triangles) {
    Box around;
    for (const int corner : t) around.add(surface.points[corner]);
    for_range(cells.of(around.low), cells.of(around.high),
              [&](int i, int j, int k) { cells.kind[cells.index(i, j, k)] = Cell::cut; });
  }
  for_range(Eigen::Vector3i::Zero(), cells.count - Eigen::Vector3i::Ones(),
            [&](int i, int j, int k) {
              Cell& kind = cells.kind[cells.index(i, j, k)];
              const Vec3 centre = cells.low + edge * Vec3(i + 0.5, j + 0.5, k + 0.5);
              if (kind != Cell::cut && winding.inside(centre)) kind = Cell::inside;
            });
  return cells;
}

bool has_near(const Cells& cells, const std::vector<Vec3>& points, const Vec3& p) {
  const Eigen::Vector3i at = cells.of(p), one = Eigen::Vector3i::Ones();
  bool found = false;
  for_range((at - one).cwiseMax(0), (at + one).cwiseMin(cells.count - one),
            [&](int i, int j, int k) {
              for (int q = cells.first[cells.index(i, j, k)]; q >= 0; q = cells.next[q])
                found = found || (points[q] - p).squaredNorm() < cells.edge * cells.edge;
            });
  return found;
}

}  // namespace

std::vector<Vec3> poisson_points(const TriangleMesh& surface, double spacing, std::uint64_t seed) {
  ASSERT(spacing > 0, "points some way apart");
  const WindingNumber winding(surface);
  Cells cells = cells_of(surface, spacing, winding);
  std::vector<int> places;
  for (int c = 0; c < int(cells.kind.size()); ++c)
    if (cells.kind[c] != Cell::outside) places.push_back(c);
  std::vector<Vec3> points;
  std::uint64_t drawn = 0;
  const auto draw = [&] { return random_unit(seed, drawn++); };
  const std::int64_t most = 1000 * std::int64_t(places.size());
  std::int64_t thrown = 0;
  for (int misses = 0; misses < misses_allowed && thrown < most; ++thrown) {
    const int c = places[std::size_t(draw() * double(places.size()))];
    const Eigen::Vector3i cell(c % cells.count.x(), c / cells.count.x() % cells.count.y(),
                               c / (cells.count.x() * cells.count.y()));
    Vec3 p;
    for (int axis = 0; axis < 3; ++axis)
      p[axis] = cells.low[axis] + spacing * (cell[axis] + draw());
    if (has_near(cells, points, p)) {
      ++misses;
      continue;
    }
    if (cells.kind[c] == Cell::cut && !winding.inside(p)) continue;
    misses = 0;
    cells.next.push_back(cells.first[c]);
    cells.first[c] = int(points.size());
    points.push_back(p);
  }
  return points;
}

double poisson_spacing(double volume, int count) { return std::cbrt(density * volume / count); }

}  // namespace pliant
