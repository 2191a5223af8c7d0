#include "geometry/cut/walls.h"

#include <algorithm>
#include <span>

#include "core/assert.h"

namespace pliant::cut {
namespace {

// One square of the grid seen from above along its axis: u to the right, v upwards.
struct View {
  int axis, u, v;
  CutGrid::Place square;
  Vec3 corner;

  View(std::size_t key, const CutGrid& grid)
      : axis(int(key / grid.nodes())),
        u((axis + 1) % 3),
        v((axis + 2) % 3),
        square(grid.at(key % grid.nodes())),
        corner(grid.node(square)) {}

  Eigen::Vector2d flat(const Vec3& p) const { return {p[u] - corner[u], p[v] - corner[v]}; }
};

double cross(const Eigen::Vector2d& a, const Eigen::Vector2d& b) {
  return a.x() * b.y() - a.y() * b.x();
}

class Builder {
 public:
  Builder(const InsideLines& lines, const CutGrid& grid, const Sliced& sliced)
      : lines_(lines), grid_(grid), sliced_(sliced), next_(sliced.points.size(), -1) {}

  // A square the surface passes through.
  void add_crossed(std::span<const RimSide> rim) {
    const View view(rim.front().square, grid_);
    starts_.clear();
    for (const RimSide& side : rim) link(side.from, side.to);
    CutGrid::Place right = view.square, top = view.square;
    ++right[view.u];
    ++top[view.v];
    add_border(view.u, view.square, true);
    add_border(view.v, right, true);
    add_border(view.u, top, false);
    add_border(view.v, view.square, false);
    trace();
    arrange(view);
  }

  // A square with all four corners inside and nothing in between.
  void add_whole(std::size_t key) {
    const View view(key, grid_);
    const int first = out_.loops.size();
    for (const auto& [du, dv] : {std::pair(0, 0), {1, 0}, {1, 1}, {0, 1}}) {
      CutGrid::Place at = view.square;
      at[view.u] += du;
      at[view.v] += dv;
      out_.loops.item.push_back(lines_.point[grid_.number(at)]);
    }
    out_.loops.close();
    out_.walls.push_back({view.axis, view.square, first, first + 1, grid_.cell * grid_.cell});
  }

  Walls take() { return std::move(out_); }

 private:
  void link(int from, int to) {
    ASSERT(next_[from] < 0, "the rim of a wall passes through a point once");
    next_[from] = to;
    starts_.push_back(from);
  }

  // The parts of a square's side that lie inside, along its axis or against it.
  void add_border(int axis, const CutGrid::Place& low, bool forward) {
    const std::size_t node = grid_.number(low), key = std::size_t(axis) * grid_.nodes() + node;
    const auto found = std::lower_bound(lines_.edges.begin(), lines_.edges.end(), key);
    const auto add = [&](int from, int to) { forward ? link(from, to) : link(to, from); };
    if (found != lines_.edges.end() && *found == key) {
      const std::span<const int> parts = lines_.parts[int(found - lines_.edges.begin())];
      for (std::size_t i = 0; i + 1 < parts.size(); i += 2) add(parts[i], parts[i + 1]);
    } else if (lines_.inside[node]) {
      CutGrid::Place high = low;
      ++high[axis];
      add(lines_.point[node], lines_.point[grid_.number(high)]);
    }
  }

  // Follows the links into loops and takes them away.
  void trace() {
    loops_ = {};
    for (const int start : starts_) {
      if (next_[start] < 0) continue;
      for (int at = start; next_[at] >= 0;) {
        loops_.item.push_back(at);
        const int next = next_[at];
        next_[at] = -1;
        at = next;
        ASSERT(at == start || next_[at] >= 0, "rims of walls are closed");
      }
      loops_.close();
    }
  }

  double area(const View& view, std::span<const int> loop) const {
    double twice = 0;
    Eigen::Vector2d from = view.flat(sliced_.points[loop.back()]);
    for (const int point : loop) {
      const Eigen::Vector2d to = view.flat(sliced_.points[point]);
      twice += cross(from, to);
      from = to;
    }
    return 0.5 * twice;
  }

  bool contains(const View& view, std::span<const int> loop, const Eigen::Vector2d& p) const {
    bool inside = false;
    Eigen::Vector2d from = view.flat(sliced_.points[loop.back()]) - p;
    for (const int point : loop) {
      const Eigen::Vector2d to = view.flat(sliced_.points[point]) - p;
      if ((from.y() < 0) != (to.y() < 0) && (cross(from, to) < 0) == (to.y() < from.y()))
        inside = !inside;
      from = to;
    }
    return inside;
  }

  // Outer loops become walls, each with the holes in it. A hole that no loop contains can only be
  // so small that its turn is rounding: it stands for itself.
  void arrange(const View& view) {
    const int count = loops_.size();
    std::vector<double> areas;
    for (int i = 0; i < count; ++i) areas.push_back(area(view, loops_[i]));
    std::vector<int> owner(std::size_t(count), -1);
    for (int hole = 0; hole < count; ++hole) {
      if (areas[hole] >= 0) continue;
      const Eigen::Vector2d p = view.flat(sliced_.points[loops_[hole].front()]);
      for (int outer = 0; outer < count; ++outer)
        if (areas[outer] >= 0 && contains(view, loops_[outer], p) &&
            (owner[hole] < 0 || areas[outer] < areas[owner[hole]]))
          owner[hole] = outer;
    }
    for (int outer = 0; outer < count; ++outer) {
      if (owner[outer] >= 0) continue;
      Wall wall{view.axis, view.square, out_.loops.size(), 0, areas[outer]};
      out_.loops.add(loops_[outer]);
      for (int hole = 0; hole < count; ++hole) {
        if (owner[hole] != outer) continue;
        out_.loops.add(loops_[hole]);
        wall.area += areas[hole];
      }
      wall.last_loop = out_.loops.size();
      out_.walls.push_back(wall);
    }
  }

  const InsideLines& lines_;
  const CutGrid& grid_;
  const Sliced& sliced_;
  std::vector<int> next_;  // per point: the next one on the rim; -1 when it is not on it
  std::vector<int> starts_;
  Rows loops_;  // of the present square
  Walls out_;
};

}  // namespace

Walls build_walls(const std::vector<RimSide>& sides, const InsideLines& lines, const CutGrid& grid,
                  const Sliced& sliced) {
  Builder builder(lines, grid, sliced);
  auto side = sides.begin();
  for (std::size_t key = 0; key < 3 * grid.nodes(); ++key) {
    const auto begin = side;
    while (side != sides.end() && side->square == key) ++side;
    if (side != begin) {
      builder.add_crossed({begin, side});
      continue;
    }
    // The nodes on the far planes are outside, so a node inside has a square above it; without a
    // crossing all corners of that square are alike.
    if (lines.inside[key % grid.nodes()]) builder.add_whole(key);
  }
  return builder.take();
}

}  // namespace pliant::cut
