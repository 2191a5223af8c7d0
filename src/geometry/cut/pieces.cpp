#include "geometry/cut/pieces.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/assert.h"
#include "core/disjoint_sets.h"
#include "geometry/cut/pair_map.h"

namespace pliant::cut {
namespace {

// What bounds a piece: patches first, then each wall as seen from below and from above.
class Parts {
 public:
  Parts(const Sliced& sliced, const Walls& walls, const CutGrid& grid)
      : sliced_(sliced), walls_(walls), patches_(sliced.patches.size()) {
    const auto number = [&](int part) { return grid.number(cell(part)); };
    start_.assign(grid.nodes() + 1, 0);
    for (int part = 0; part < size(); ++part) ++start_[number(part) + 1];
    for (std::size_t c = 1; c < start_.size(); ++c) start_[c] += start_[c - 1];
    order_.resize(std::size_t(size()));
    std::vector<int> next(start_.begin(), start_.end() - 1);
    for (int part = 0; part < size(); ++part) order_[next[number(part)]++] = part;
  }

  int size() const { return patches_ + 2 * int(walls_.walls.size()); }
  std::span<const int> in_cell(std::size_t number) const {
    return {order_.data() + start_[number], order_.data() + start_[number + 1]};
  }

  CutGrid::Place cell(int part) const {
    if (part < patches_) return sliced_.cell[part];
    const Wall& wall = walls_.walls[(part - patches_) / 2];
    CutGrid::Place cell = wall.square;
    if (is_below(part)) --cell[wall.axis];
    return cell;
  }
  bool is_below(int part) const { return (part - patches_) % 2 == 0; }

  /// Calls visit(loop, sign): -1 = the loop is to be walked backwards to face outwards.
  template <class Visit>
  void for_each_loop(int part, const Visit& visit) const {
    if (part < patches_) return visit(sliced_.patches[part], 1);
    const Wall& wall = walls_.walls[(part - patches_) / 2];
    for (int loop = wall.first_loop; loop < wall.last_loop; ++loop)
      visit(walls_.loops[loop], is_below(part) ? 1 : -1);
  }

 private:
  const Sliced& sliced_;
  const Walls& walls_;
  int patches_;
  std::vector<int> start_, order_;  // parts by cell
};

// Joins parts of one cell that share an edge. Each edge is met once in either direction: that is
// what it means for the pieces to be closed.
void join_in_cell(const Parts& parts, std::span<const int> members, PairMap& open,
                  DisjointSets& sets) {
  open.clear();
  int unmatched = 0;
  for (const int part : members) {
    parts.for_each_loop(part, [&](std::span<const int> loop, int sign) {
      // The holes of a wall belong to it.
      int from = loop.back();
      for (const int to : loop) {
        const int a = sign > 0 ? from : to, b = sign > 0 ? to : from;
        from = to;
        int& other = open.at(b, a);
        if (other >= 0) {
          sets.join(part, other);
          other = -1;
          --unmatched;
        } else {
          int& mine = open.at(a, b);
          ASSERT(mine < 0, "an edge of a piece is met once in either direction");
          mine = part;
          ++unmatched;
        }
      }
    });
  }
  ASSERT(unmatched == 0, "pieces are closed");
}

// How often the parts of a piece wind round a point (van Oosterom and Strackee 1983).
double winding(const Parts& parts, const std::vector<Vec3>& points, std::span<const int> members,
               const Vec3& eye) {
  double angle = 0;
  for (const int part : members)
    parts.for_each_loop(part, [&](std::span<const int> loop, int sign) {
      for (std::size_t i = 1; i + 1 < loop.size(); ++i) {
        const Vec3 a = points[loop[0]] - eye, b = points[loop[i]] - eye,
                   c = points[loop[i + 1]] - eye;
        const double la = a.norm(), lb = b.norm(), lc = c.norm();
        angle += sign * 2 *
                 std::atan2(a.dot(b.cross(c)),
                            la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb);
      }
    });
  return angle / (4 * std::numbers::pi);
}

// Finds for shells that face inwards which other piece of the cell they are holes of.
void join_holes(const Parts& parts, const std::vector<Vec3>& points, std::span<const int> members,
                const CutGrid& grid, DisjointSets& sets) {
  struct Shell {
    std::vector<int> parts;
    double volume = 0;
  };
  const int first = sets.root(members.front());
  if (std::all_of(members.begin(), members.end(), [&](int p) { return sets.root(p) == first; }))
    return;
  std::vector<Shell> shells;
  std::vector<int> roots;
  for (const int part : members) {
    const int root = sets.root(part);
    const auto known = std::find(roots.begin(), roots.end(), root);
    if (known == roots.end()) {
      roots.push_back(root);
      shells.emplace_back();
      shells.back().parts.push_back(part);
    } else {
      shells[std::size_t(known - roots.begin())].parts.push_back(part);
    }
  }
  for (Shell& shell : shells) {
    Moments moments;
    for (const int part : shell.parts)
      parts.for_each_loop(part, [&](std::span<const int> loop, int sign) {
        moments.add_loop(points, loop, grid.centre(parts.cell(part)), sign);
      });
    shell.volume = moments.volume;
  }
  for (const Shell& hole : shells) {
    if (hole.volume > 0) continue;
    int point = -1;
    parts.for_each_loop(hole.parts.front(),
                        [&](std::span<const int> loop, int) { point = loop.front(); });
    const Shell* owner = nullptr;
    for (const Shell& shell : shells)
      if (shell.volume > 0 && (!owner || shell.volume < owner->volume) &&
          winding(parts, points, shell.parts, points[point]) > 0.5)
        owner = &shell;
    if (owner) sets.join(hole.parts.front(), owner->parts.front());
  }
}

}  // namespace

void Moments::add_loop(const std::vector<Vec3>& points, std::span<const int> loop, const Vec3& apex,
                       double sign) {
  const Vec3 a = points[loop[0]] - apex;
  Vec3 b = points[loop[1]] - apex;
  for (std::size_t i = 2; i < loop.size(); ++i) {
    const Vec3 c = points[loop[i]] - apex;
    const double cone = sign * a.dot(b.cross(c)) / 6;
    volume += cone;
    first += 0.25 * cone * (a + b + c);
    b = c;
  }
}

Pieces find_pieces(const Sliced& sliced, const Walls& walls, const CutGrid& grid) {
  const Parts parts(sliced, walls, grid);
  DisjointSets sets(parts.size());
  PairMap open;
  for (std::size_t c = 0; c < grid.nodes(); ++c) {
    const std::span<const int> members = parts.in_cell(c);
    if (members.empty()) continue;
    join_in_cell(parts, members, open, sets);
    join_holes(parts, sliced.points, members, grid, sets);
  }

  // Numbered by cell, then by first part.
  Pieces pieces;
  std::vector<int> number(std::size_t(parts.size()), -1);
  for (std::size_t c = 0; c < grid.nodes(); ++c) {
    for (const int part : parts.in_cell(c)) {
      int& piece = number[sets.root(part)];
      if (piece < 0) {
        piece = pieces.size();
        pieces.cell.push_back(grid.at(c));
        pieces.moments.emplace_back();
      }
      number[part] = piece;
      const Vec3 centre = grid.centre(grid.at(c));
      parts.for_each_loop(part, [&](std::span<const int> loop, int sign) {
        pieces.moments[piece].add_loop(sliced.points, loop, centre, sign);
      });
    }
  }
  const int patches = sliced.patches.size();
  pieces.of_patch.assign(number.begin(), number.begin() + patches);
  for (std::size_t w = 0; w < walls.walls.size(); ++w)
    pieces.of_wall.push_back({number[patches + 2 * w], number[patches + 2 * w + 1]});
  return pieces;
}

}  // namespace pliant::cut
