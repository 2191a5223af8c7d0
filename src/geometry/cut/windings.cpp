#include "geometry/cut/windings.h"

#include <algorithm>
#include <span>
#include <tuple>

#include "core/assert.h"

namespace pliant::cut {
namespace {

// A cut point on a grid's line.
struct Crossing {
  std::size_t edge;
  double coordinate;
  int point;
  int step;  // +1 = a way along the axis enters the solid here, -1 = it leaves
};

// Such a point lies on two planes and is met by four rims, which all tell the same. Asked is the
// one in the plane of the axis that follows the line's, on the side above the other plane:
//
//   line's axis ^   |          The border is walked downwards there. A rim that arrives goes on
//               |   x--rim     along the border below the point, so that part is inside and a way
//               |   |          upwards leaves at the point.
//               +---|-------> third axis
void add_crossing(const RimSide& side, int axis, bool arrives, const Sliced& sliced,
                  const CutGrid& grid, const CutGrid::Place& square,
                  std::vector<Crossing>& crossings) {
  const int point = arrives ? side.to : side.from;
  const int third = (axis + 1) % 3, line = (axis + 2) % 3;
  const int both = 1 << axis | 1 << third;
  if (sliced.on[point] != both || sliced.at[point][third] != square[third]) return;
  crossings.push_back({std::size_t(line) * grid.nodes() + grid.number(sliced.at[point]),
                       sliced.points[point][line], point, arrives ? -1 : 1});
}

std::vector<Crossing> find_crossings(const std::vector<RimSide>& sides, const Sliced& sliced,
                                     const CutGrid& grid) {
  std::vector<Crossing> crossings;
  for (const RimSide& side : sides) {
    const int axis = int(side.square / grid.nodes());
    const CutGrid::Place square = grid.at(side.square % grid.nodes());
    for (const bool arrives : {false, true})
      add_crossing(side, axis, arrives, sliced, grid, square, crossings);
  }
  std::sort(crossings.begin(), crossings.end(), [](const Crossing& a, const Crossing& b) {
    return std::tie(a.edge, a.coordinate, a.point) < std::tie(b.edge, b.coordinate, b.point);
  });
  return crossings;
}

// Walks along all lines of the first axis.
void wind(const std::vector<Crossing>& crossings, const CutGrid& grid, InsideLines& lines) {
  std::vector<int> step(grid.nodes(), 0);
  for (const Crossing& crossing : crossings) {
    if (crossing.edge >= grid.nodes()) break;  // the other axes
    step[crossing.edge] += crossing.step;
  }
  lines.inside.assign(grid.nodes(), 0);
  const std::size_t row = std::size_t(grid.planes[0]);
  for (std::size_t first = 0; first < grid.nodes(); first += row) {
    int winding = 0;
    for (std::size_t i = 0; i < row; ++i) {
      if (winding != 0 && winding != 1) lines.overlapping = true;
      lines.inside[first + i] = char(winding);
      winding += step[first + i];
    }
    ASSERT(winding == 0, "the last plane lies outside a closed surface");
  }
}

// Turns the crossings of one edge into the parts of it that lie inside.
void add_parts(std::span<Crossing> crossings, const CutGrid& grid, InsideLines& lines) {
  const std::size_t edge = crossings.front().edge;
  const std::size_t low = edge % grid.nodes();
  CutGrid::Place next = grid.at(low);
  ++next[edge / grid.nodes()];
  bool is_inside = lines.inside[low] != 0;
  if (is_inside) lines.parts.item.push_back(lines.point[low]);
  for (auto rest = crossings.begin(); rest != crossings.end(); ++rest) {
    const int step = is_inside ? -1 : 1;
    const auto fitting = std::find_if(
        rest, crossings.end(), [&](const Crossing& crossing) { return crossing.step == step; });
    ASSERT(fitting != crossings.end(), "windings of nodes agree with the crossings between them");
    std::rotate(rest, fitting, fitting + 1);
    lines.parts.item.push_back(rest->point);
    is_inside = !is_inside;
  }
  if (is_inside) lines.parts.item.push_back(lines.point[grid.number(next)]);
  lines.parts.close();
  lines.edges.push_back(edge);
}

}  // namespace

std::vector<RimSide> rim_sides(const Sliced& sliced, const CutGrid& grid) {
  std::vector<RimSide> sides;
  for (int p = 0; p < sliced.patches.size(); ++p) {
    const std::span<const int> corners = sliced.patches[p];
    int from = corners.back();
    for (const int to : corners) {
      const int both = sliced.on[from] & sliced.on[to];
      for (int axis = 0; both != 0 && axis < 3; ++axis) {
        // Patches below the plane speak for it; those above have the same sides turned round.
        const int plane = sliced.cell[p][axis] + 1;
        if ((both & 1 << axis) == 0 || sliced.at[from][axis] != plane ||
            sliced.at[to][axis] != plane)
          continue;
        CutGrid::Place square = sliced.cell[p];
        square[axis] = plane;
        sides.push_back({std::size_t(axis) * grid.nodes() + grid.number(square), to, from});
      }
      from = to;
    }
  }
  std::sort(sides.begin(), sides.end(), [](const RimSide& a, const RimSide& b) {
    return std::tie(a.square, a.from, a.to) < std::tie(b.square, b.from, b.to);
  });
  return sides;
}

InsideLines inside_lines(const std::vector<RimSide>& sides, const CutGrid& grid, Sliced& sliced) {
  InsideLines lines;
  std::vector<Crossing> crossings = find_crossings(sides, sliced, grid);
  wind(crossings, grid, lines);
  if (lines.overlapping) return lines;
  lines.point.assign(grid.nodes(), -1);
  for (std::size_t n = 0; n < grid.nodes(); ++n) {
    if (!lines.inside[n]) continue;
    lines.point[n] = int(sliced.points.size());
    sliced.points.push_back(grid.node(grid.at(n)));
    sliced.at.push_back(grid.at(n));
    sliced.on.push_back(7);
  }
  for (auto begin = crossings.begin(); begin != crossings.end();) {
    const auto end = std::find_if(begin, crossings.end(), [&](const Crossing& crossing) {
      return crossing.edge != begin->edge;
    });
    add_parts({begin, end}, grid, lines);
    begin = end;
  }
  return lines;
}

}  // namespace pliant::cut
