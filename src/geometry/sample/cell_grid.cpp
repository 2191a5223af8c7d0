#include "geometry/sample/cell_grid.h"

#include <algorithm>
#include <cmath>
#include <locale>
#include <sstream>

#include "core/errors.h"
#include "core/parallel.h"
#include "geometry/mesh/topology.h"
#include "geometry/query/triangle_box.h"
#include "geometry/query/winding_number.h"
#include "geometry/sample/cell_fill.h"
#include "geometry/sample/five_tets.h"

namespace pliant {
namespace {

using Index = Eigen::Vector3i;

// Surfaces that lie in a plane of the grid belong to the cells behind them, not to those they
// merely touch.
constexpr double touching = 1e-9;  // [cells]

// A box of empty cells around the surface.
struct Lattice {
  Vec3 origin;
  Vec3 cell;
  Index count;

  int cells() const { return count.prod(); }
  int place(const Index& at) const { return at.x() + count.x() * (at.y() + count.y() * at.z()); }
  Index at(int place) const {
    return {place % count.x(), place / count.x() % count.y(), place / count.x() / count.y()};
  }
  Vec3 centre(const Index& at) const {
    return origin + cell.cwiseProduct((at.cast<double>().array() + 0.5).matrix());
  }
  Vec3 in_cells(const Vec3& p) const { return (p - origin).cwiseQuotient(cell); }
  Index clamp(const Vec3& in_cells) const {
    Index at;
    for (int a = 0; a < 3; ++a)
      at[a] = int(std::clamp(std::floor(in_cells[a]), 0.0, double(count[a] - 1)));
    return at;
  }
};

enum State : char { outside, inside, crossed };

std::ostringstream sentence() {
  std::ostringstream text;
  text.imbue(std::locale::classic());
  return text;
}

// Bounds of what the triangles use.
Box checked_bounds(const TriangleMesh& surface) {
  if (surface.triangles.empty())
    throw InputError("", "", "has no triangles", "a soft body needs a surface to fill");
  Box box;
  for (const Triangle& t : surface.triangles) {
    for (const int p : t) {
      if (!surface.points[p].allFinite()) {
        std::ostringstream text = sentence();
        text << "has a point that is not finite (point " << p << ")";
        throw InputError("", "", text.str());
      }
      box.add(surface.points[p]);
    }
  }
  const Vec3 extent = box.extent();
  if (!(extent.minCoeff() > 1e-12 * extent.maxCoeff()) || !extent.allFinite()) {
    std::ostringstream text = sentence();
    text << "has zero volume (extent x, y, z = " << extent.x() << ", " << extent.y() << ", "
         << extent.z() << " m)";
    throw InputError("", "", text.str(), "a soft body needs a surface with a thickness");
  }
  return box;
}

void refuse(double cells, int most) {
  std::ostringstream text = sentence();
  text << "would be filled with about " << cells << " cells; at most " << most << " are possible";
  throw InputError("", "", text.str(), "take larger cells");
}

Lattice cover(const Box& box, double cell, int most) {
  if (!(cell > 0) || !std::isfinite(cell)) {
    std::ostringstream text = sentence();
    text << "cannot be filled with cells of " << cell << " m; the edge length must be above 0";
    throw InputError("", "", text.str());
  }
  const Vec3 extent = box.extent();
  // A whole number of cells along each axis, so that flat ends fill theirs: slivers of cells would
  // be pushed about by whatever touches the body. Bodies thinner than half a cell get one cell and
  // leave part of it empty.
  const Vec3 count = (extent / cell).array().round().max(1);
  const double fullest = 4;  // thin bodies leave most of their bounding box empty
  if (count.prod() > fullest * most) refuse(count.prod(), most);
  const Vec3 size = extent.cwiseQuotient(count).cwiseMax(0.5 * cell);
  return {box.centre() - 0.5 * size.cwiseProduct(count), size, count.cast<int>()};
}

std::array<Vec3, 3> corners(const TriangleMesh& surface, const Triangle& t) {
  return {surface.points[t[0]], surface.points[t[1]], surface.points[t[2]]};
}

// Calls visit(cell) for the cells a triangle meets, with boxes of the given half size [cells]
// around their centres.
template <class Visit>
void for_each_cell_met(const Lattice& lattice, const std::array<Vec3, 3>& triangle,
                       const Vec3& half, const Visit& visit) {
  Box box;
  for (const Vec3& p : triangle) box.add(lattice.in_cells(p));
  box.grow(2 * touching);
  const Index low = lattice.clamp(box.low), high = lattice.clamp(box.high);
  for (int k = low.z(); k <= high.z(); ++k)
    for (int j = low.y(); j <= high.y(); ++j)
      for (int i = low.x(); i <= high.x(); ++i)
        if (triangle_meets_box(triangle, lattice.centre({i, j, k}),
                               lattice.cell.cwiseProduct(half)))
          visit(Index(i, j, k));
}

void mark_crossed(const Lattice& lattice, const TriangleMesh& surface, std::vector<char>& state) {
  const Vec3 half = Vec3::Constant(0.5 - touching);
  for (const Triangle& t : surface.triangles)
    for_each_cell_met(lattice, corners(surface, t), half,
                      [&](const Index& at) { state[lattice.place(at)] = crossed; });
}

// Returns the largest winding number met: above 1.5 the surface overlaps itself.
double mark_inside(const Lattice& lattice, const WindingNumber& winding, double sign,
                   std::vector<char>& state) {
  return parallel_max(lattice.cells(), 64, 0, [&](int begin, int end) {
    double largest = 0;
    for (int c = begin; c < end; ++c) {
      if (state[c] != outside) continue;
      const double number = sign * winding.at(lattice.centre(lattice.at(c)));
      if (number > 0.5) state[c] = inside;
      largest = std::max(largest, number);
    }
    return largest;
  });
}

// A triangle that lies in a plane of the grid crosses no cell. Where no cell behind or before it
// was kept, as for an open sheet, the one on its lower side is.
void keep_sheets(const Lattice& lattice, const TriangleMesh& surface, std::vector<char>& state) {
  for (const Triangle& t : surface.triangles) {
    const std::array<Vec3, 3> triangle = corners(surface, t);
    for (int axis = 0; axis < 3; ++axis) {
      double plane = 0;
      bool flat = true;
      for (const Vec3& p : triangle) {
        const double height = lattice.in_cells(p)[axis];
        plane = std::round(height);
        flat = flat && std::abs(height - plane) < 2 * touching;
      }
      if (!flat) continue;
      Vec3 half = Vec3::Constant(0.5 - touching);
      half[axis] = 0.5 + 2 * touching;
      const int above = int(plane);
      for_each_cell_met(lattice, triangle, half, [&](const Index& at) {
        Index low = at, high = at;
        low[axis] = std::max(above - 1, 0);
        high[axis] = std::min(above, lattice.count[axis] - 1);
        char& first = state[lattice.place(low)];
        if (first == outside && state[lattice.place(high)] == outside) first = crossed;
      });
    }
  }
}

// The kept cell that holds a point, the lowest of several; -1 when there is none.
int holder(const Lattice& lattice, const std::vector<char>& state, const Vec3& in_cells) {
  const Index low = lattice.clamp(in_cells - Vec3::Constant(touching));
  const Index high = lattice.clamp(in_cells + Vec3::Constant(touching));
  for (int k = low.z(); k <= high.z(); ++k)
    for (int j = low.y(); j <= high.y(); ++j)
      for (int i = low.x(); i <= high.x(); ++i)
        if (state[lattice.place({i, j, k})] != outside) return lattice.place({i, j, k});
  return -1;
}

void keep_points(const Lattice& lattice, const TriangleMesh& surface, std::vector<char>& state) {
  for (const Triangle& t : surface.triangles) {
    for (const int p : t) {
      const Vec3 in_cells = lattice.in_cells(surface.points[p]);
      if (holder(lattice, state, in_cells) < 0)
        state[lattice.place(lattice.clamp(in_cells))] = crossed;
    }
  }
}

// Points and tets of the kept cells, both in the lattice's order, x fastest. Returns the number of
// each kept cell.
std::vector<int> build_tets(const Lattice& lattice, const std::vector<char>& state,
                            CellGrid& grid) {
  const Index n = lattice.count + Index::Ones();
  const auto node_place = [&](const Index& at) {
    return std::size_t(at.x()) + std::size_t(n.x()) * (at.y() + std::size_t(n.y()) * at.z());
  };
  std::vector<int> node(std::size_t(n.x()) * n.y() * n.z(), -1);
  std::vector<int> number(state.size(), -1);
  for (int c = 0; c < lattice.cells(); ++c) {
    if (state[c] == outside) continue;
    number[c] = int(grid.cells.size());
    grid.cells.push_back(lattice.at(c));
    for (int v = 0; v < 8; ++v) node[node_place(grid.cells.back() + cube_corner(v))] = 0;
  }
  std::size_t place = 0;
  for (int k = 0; k < n.z(); ++k) {
    for (int j = 0; j < n.y(); ++j) {
      for (int i = 0; i < n.x(); ++i, ++place) {
        if (node[place] < 0) continue;
        node[place] = int(grid.tets.points.size());
        grid.tets.points.push_back(lattice.origin + lattice.cell.cwiseProduct(Vec3(i, j, k)));
      }
    }
  }
  grid.tets.tets.reserve(5 * grid.cells.size());
  for (const Index& at : grid.cells) {
    for (const Tet& corner : five_tets(at.sum() % 2)) {
      Tet& tet = grid.tets.tets.emplace_back();
      for (int v = 0; v < 4; ++v) tet[v] = node[node_place(at + cube_corner(corner[v]))];
    }
  }
  return number;
}

// Shares of a point of the unit cube in one of the five tets; returns which.
int shares_in_cube(const FiveTets& tets, const Vec3& x, std::array<double, 4>& share) {
  // A corner tet holds what is less than 1 away from its corner, counted along the axes.
  for (int t = 0; t < 4; ++t) {
    const Vec3 offset = (x - cube_corner(tets[t][0]).cast<double>()).cwiseAbs();
    if (offset.sum() > 1) continue;
    share[0] = 1 - offset.sum();
    for (int v = 1; v < 4; ++v)
      share[v] = offset[(tets[t][0] ^ tets[t][v]) >> 1];  // 1, 2, 4: axis 0, 1, 2
    return t;
  }
  // The middle tet's faces are those of the corner tets, each opposite the corner across the cube.
  for (int v = 0; v < 4; ++v) {
    const Vec3 opposite = cube_corner(7 ^ tets[4][v]).cast<double>();
    share[v] = 0.5 * ((x - opposite).cwiseAbs().sum() - 1);
  }
  return 4;
}

int nearest_node(const std::vector<Vec3>& points, const Vec3& p) {
  int best = 0;
  for (int i = 1; i < int(points.size()); ++i)
    if ((points[i] - p).squaredNorm() < (points[best] - p).squaredNorm()) best = i;
  return best;
}

void attach_skin(const Lattice& lattice, const std::vector<char>& state,
                 const std::vector<int>& number, const TriangleMesh& surface, CellGrid& grid) {
  for (const Vec3& p : surface.points) {
    const Vec3 in_cells = lattice.in_cells(p);
    const int place = in_cells.allFinite() ? holder(lattice, state, in_cells) : -1;
    const Vec3 x =
        place < 0 ? Vec3(Vec3::Zero()) : Vec3(in_cells - lattice.at(place).cast<double>());
    const bool held = place >= 0 && x.minCoeff() > -2 * touching && x.maxCoeff() < 1 + 2 * touching;
    if (!held) {  // a stray point
      const int node[] = {nearest_node(grid.tets.points, p)};
      const double all[] = {1.0};
      grid.skin.add_row(node, all);
      continue;
    }
    std::array<double, 4> share;
    const FiveTets tets = five_tets(lattice.at(place).sum() % 2);
    const int t = shares_in_cube(tets, x.cwiseMax(0).cwiseMin(1), share);
    grid.skin.add_row(grid.tets.tets[5 * number[place] + t], share);
  }
}

}  // namespace

double cell_size_for(const TriangleMesh& surface, int count) {
  Box box;
  for (const Triangle& t : surface.triangles)
    for (const int p : t) box.add(surface.points[p]);
  const Vec3 extent = box.extent();
  const double longest = extent.maxCoeff();
  if (!(longest > 0) || !extent.allFinite()) return 1;  // fill_with_cells says what is wrong
  double room = is_closed(surface) ? volume(surface) : 0;
  if (!(room > 0)) room = extent.prod();
  return std::clamp(std::cbrt(room / std::max(count, 1)), longest / 200, longest / 3);
}

CellGrid fill_with_cells(const TriangleMesh& surface, double cell, int most) {
  const Lattice lattice = cover(checked_bounds(surface), cell, most);
  const WindingNumber winding(surface);
  const double enclosed = volume(surface);
  const double sign = enclosed < 0 ? -1 : 1;

  std::vector<char> state(lattice.cells(), outside);
  mark_crossed(lattice, surface, state);
  const bool overlaps = mark_inside(lattice, winding, sign, state) > 1.5;
  keep_sheets(lattice, surface, state);
  keep_points(lattice, surface, state);
  const auto kept = state.size() - std::size_t(std::count(state.begin(), state.end(), outside));
  if (kept > std::size_t(most)) refuse(double(kept), most);

  CellGrid grid;
  grid.cell = lattice.cell;
  grid.origin = lattice.origin;
  const std::vector<int> number = build_tets(lattice, state, grid);
  attach_skin(lattice, state, number, surface, grid);

  std::vector<char> is_crossed;
  for (const Index& at : grid.cells) is_crossed.push_back(state[lattice.place(at)] == crossed);
  const Topology surface_topology = topology(surface);
  const bool tight = surface_topology.closed && surface_topology.oriented();
  measure_fill(surface, winding, sign, tight, is_crossed, grid);
  // What overlaps would count twice in the enclosed volume.
  if (surface_topology.closed && !overlaps) rescale_fill(std::abs(enclosed), is_crossed, grid);
  return grid;
}

}  // namespace pliant
