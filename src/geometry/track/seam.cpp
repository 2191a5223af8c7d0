#include "geometry/track/seam.h"

#include <bit>
#include <tuple>
#include <utility>

#include "core/assert.h"

namespace pliant::track {
namespace {

CutGrid grid_of(const Lattice& lattice) {
  CutGrid grid;
  grid.origin = Vec3(lattice.low[0], lattice.low[1], lattice.low[2]);
  grid.cell = 1;
  grid.planes = lattice.count;
  return grid;
}

}  // namespace

Seam::Seam(const std::vector<Triangle>& triangles, const Lattice& lattice, CellSet& cells)
    : triangles_(triangles),
      lattice_(lattice),
      cells_(cells),
      grid_(grid_of(lattice)),
      slicer_(lattice.places(), grid_),
      stride_{1, std::size_t(lattice.count[0]), std::size_t(lattice.count[0]) * lattice.count[1]},
      first_patch_(triangles.size(), -1),
      end_patch_(triangles.size(), -1),
      points_on_edges_(int(lattice.places().size())) {}

bool Seam::fit(int most_rounds) {
  for (rounds_ = 1; rounds_ <= most_rounds; ++rounds_) {
    cells_.sort();
    slice_touched();
    if (!find_chords()) return false;
    if (check_faces()) return true;
    const std::size_t before = cells_.cells().size();
    grow();
    if (cells_.cells().size() == before) return false;  // the lattice's border is in the way
  }
  return false;
}

void Seam::slice_touched() {
  const auto& at = slicer_.sliced().at;
  for (int t = 0; t < int(triangles_.size()); ++t) {
    if (is_sliced(t)) continue;
    const Triangle& i = triangles_[t];
    std::array<int, 3> low, high;
    for (int a = 0; a < 3; ++a)
      std::tie(low[a], high[a]) = std::minmax({at[i[0]][a], at[i[1]][a], at[i[2]][a]});
    bool touched = false;
    for (int z = low[2]; z <= high[2] && !touched; ++z)
      for (int y = low[1]; y <= high[1] && !touched; ++y)
        for (int x = low[0]; x <= high[0] && !touched; ++x)
          touched = cells_.has(grid_.number({x, y, z}));
    if (!touched) continue;
    first_patch_[t] = slicer_.sliced().patches.size();
    slicer_.add(t, i);
    end_patch_[t] = slicer_.sliced().patches.size();
  }
}

bool Seam::on_edge(int point, std::size_t& edge) const {
  const int on = sliced().on[point];
  if (std::popcount(unsigned(on)) != 2) return false;
  const int axis = std::countr_one(unsigned(on));  // the one it does not lie across
  edge = 3 * grid_.number(sliced().at[point]) + std::size_t(axis);
  return true;
}

std::span<const std::pair<std::size_t, int>> Seam::on(std::size_t edge) const {
  const auto begin = std::lower_bound(edge_points_.begin(), edge_points_.end(),
                                      std::pair<std::size_t, int>(edge, -1));
  auto end = begin;
  while (end != edge_points_.end() && end->first == edge) ++end;
  return {begin, end};
}

// Sides of patches that lie on outer faces, and new points on edges. False: a point lies on three
// planes, which sides of no patch can tell apart.
bool Seam::find_chords() {
  const cut::Sliced& s = sliced();
  for (; points_on_edges_ < int(s.points.size()); ++points_on_edges_) {
    std::size_t edge;
    if (s.on[points_on_edges_] == 7) return false;
    if (on_edge(points_on_edges_, edge)) edge_points_.emplace_back(edge, points_on_edges_);
  }
  std::sort(edge_points_.begin(), edge_points_.end());
  chords_.clear();
  for (int p = 0; p < s.patches.size(); ++p) {
    const std::size_t cell = cell_of(p);
    if (!cells_.has(cell)) continue;
    const std::span<const int> corners = s.patches[p];
    int from = corners.back();
    for (const int to : corners) {
      const int both = s.on[from] & s.on[to];
      for (int axis = 0; both != 0 && axis < 3; ++axis) {
        const int plane = s.at[from][axis], side = plane - s.cell[p][axis];
        if ((both >> axis & 1) == 0 || plane != s.at[to][axis]) continue;
        ASSERT(side == 0 || side == 1, "a patch lies between the planes of its cell");
        if (!cells_.has(neighbour(cell, axis, side)))
          chords_.push_back({face(cell, axis, side), from, to});
      }
      from = to;
    }
  }
  std::sort(chords_.begin(), chords_.end(), [](const Chord& a, const Chord& b) {
    return std::tie(a.face, a.from, a.to) < std::tie(b.face, b.from, b.to);
  });
  return true;
}

std::span<const Seam::Chord> Seam::chords_on(std::size_t face) const {
  const auto begin =
      std::lower_bound(chords_.begin(), chords_.end(), face,
                       [](const Chord& chord, std::size_t f) { return chord.face < f; });
  auto end = begin;
  while (end != chords_.end() && end->face == face) ++end;
  return {begin, end};
}

bool Seam::check_faces() {
  chain_face_.clear();
  chains_ = Rows();
  grown_.clear();
  for (const std::size_t cell : cells_.cells())
    for (int axis = 0; axis < 3; ++axis)
      for (int side = 0; side < 2; ++side) {
        const std::size_t beyond = neighbour(cell, axis, side);
        if (!cells_.has(beyond) && !face_fits(cell, axis, side)) grown_.push_back(beyond);
      }
  return grown_.empty();
}

bool Seam::face_fits(std::size_t cell, int axis, int side) {
  const int crossings = crossed_edges(cell, axis, side);
  return crossings >= 0 && add_chains(face(cell, axis, side), crossings);
}

// Edges of a face that the surface crosses; -1 = not as often as the nodes at their ends tell.
int Seam::crossed_edges(std::size_t cell, int axis, int side) const {
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  const std::size_t corner = side ? cell + stride_[axis] : cell;
  int crossings = 0;
  for (int e = 0; e < 4; ++e) {
    const int along = e < 2 ? u : v;
    const std::size_t from = corner + std::size_t(e % 2) * stride_[e < 2 ? v : u];
    const bool differ =
        (lattice_.inside[from] != 0) != (lattice_.inside[from + stride_[along]] != 0);
    if (on(3 * from + std::size_t(along)).size() != std::size_t(differ)) return -1;
    crossings += differ;
  }
  return crossings;
}

// Joins the chords of a face to chains that begin and end on its edges and touch them nowhere else.
bool Seam::add_chains(std::size_t face, int crossings) {
  const std::span<const Chord> chords = chords_on(face);
  const auto starts = [&](int point) {
    return std::count_if(chords.begin(), chords.end(),
                         [&](const Chord& c) { return c.from == point; });
  };
  const auto ends = [&](int point) {
    return std::count_if(chords.begin(), chords.end(),
                         [&](const Chord& c) { return c.to == point; });
  };
  for (const Chord& c : chords)
    if (starts(c.from) > 1 || ends(c.to) > 1) return false;
  std::size_t used = 0, edge;
  int found = 0;
  for (const Chord& first : chords) {
    if (ends(first.from) > 0) continue;
    if (!on_edge(first.from, edge)) return false;
    chains_.item.push_back(first.from);
    for (const Chord* chord = &first; chord;) {
      ++used;
      chains_.item.push_back(chord->to);
      const auto next = std::find_if(chords.begin(), chords.end(),
                                     [&](const Chord& c) { return c.from == chord->to; });
      if (on_edge(chord->to, edge) != (next == chords.end())) return false;
      chord = next == chords.end() ? nullptr : &*next;
    }
    chains_.close();
    chain_face_.push_back(face);
    ++found;
  }
  return used == chords.size() && 2 * found == crossings;
}

std::vector<std::span<const int>> Seam::chains(std::size_t face) const {
  std::vector<std::span<const int>> found;
  const auto begin = std::lower_bound(chain_face_.begin(), chain_face_.end(), face);
  for (auto f = begin; f != chain_face_.end() && *f == face; ++f)
    found.push_back(chains_[int(f - chain_face_.begin())]);
  return found;
}

// Along thin slits only a few cells come with each round; after some rounds more are taken at once.
void Seam::grow() {
  const int reach = rounds_ > 6 ? 2 : 0;
  for (const std::size_t cell : grown_) {
    const Lattice::Node n = lattice_.node(cell);
    cells_.add_cube(n, -reach, reach);
    for (int axis = 0; axis < 3; ++axis)
      for (const int step : {-1, 1}) {
        Lattice::Node beside = n;
        beside[axis] += step;
        cells_.add(beside);
      }
  }
}

void Seam::cut_points(int a, int b, std::vector<int>& points) const {
  const int middle = slicer_.cut_between(a, b);
  if (middle < 0) return;
  cut_points(a, middle, points);
  points.push_back(middle);
  cut_points(middle, b, points);
}

}  // namespace pliant::track
