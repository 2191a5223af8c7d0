// Marching surfaces in some cells of a lattice, sewn to a sliced surface: the sewing of Wojtan,
// Thuerey, Gross and Turk 2009 without tables: loops follow from the nodes of a cell's six faces.
#include "geometry/track/patch.h"

#include <algorithm>

#include "geometry/cut/pair_map.h"
#include "geometry/track/new_faces.h"
#include "geometry/track/seam.h"

namespace pliant::track {
namespace {

// Corners of a cell have bit 0 = x, 1 = y, 2 = z. Per face, 2 * axis + side, its corners
// anticlockwise seen from outside the cell.
constexpr int face_corners[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                    {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};

// A piece of a loop: from the edge on which the surface's inside begins, in the sense of the face,
// to the one on which it ends.
struct Segment {
  int from, to, face;
  std::span<const int> between;
  bool used = false;
};

class Marching {
 public:
  Marching(const TrackedSurface& surface, const Lattice& lattice, const Seam& seam, NewFaces& faces)
      : surface_(surface),
        lattice_(lattice),
        seam_(seam),
        faces_(faces),
        stride_{1, std::size_t(lattice.count[0]),
                std::size_t(lattice.count[0]) * lattice.count[1]} {}

  // False: a loop that does not close.
  bool run() {
    for (const std::size_t cell : seam_.cells().cells()) {
      int inside = 0;
      for (int k = 0; k < 8; ++k) {
        in_[k] = lattice_.inside[corner(cell, k)] != 0;
        inside += in_[k];
      }
      if (inside == 0 || inside == 8) continue;
      find_segments(cell);
      for (std::size_t s = 0; s < segments_.size(); ++s)
        if (!segments_[s].used && !add_loop(s)) return false;
    }
    return true;
  }

 private:
  std::size_t corner(std::size_t cell, int k) const {
    return cell + std::size_t(k & 1) + std::size_t(k >> 1 & 1) * stride_[1] +
           std::size_t(k >> 2 & 1) * stride_[2];
  }

  void find_segments(std::size_t cell) {
    segments_.clear();
    for (int face = 0; face < 6; ++face) {
      const int axis = face / 2, side = face % 2;
      if (!seam_.cells().has(seam_.neighbour(cell, axis, side))) {
        for (const std::span<const int> chain : seam_.chains(Seam::face(cell, axis, side)))
          segments_.push_back(
              {chain.front(), chain.back(), face, chain.subspan(1, chain.size() - 2)});
        continue;
      }
      const int* c = face_corners[face];
      for (int k = 0; k < 4; ++k) {
        if (in_[c[k]] || !in_[c[(k + 1) % 4]]) continue;
        int end = (k + 1) % 4;
        while (in_[c[(end + 1) % 4]]) end = (end + 1) % 4;
        segments_.push_back({point_on(cell, c[k], c[(k + 1) % 4]),
                             point_on(cell, c[end], c[(end + 1) % 4]),
                             face,
                             {}});
      }
    }
  }

  // Where the surface crosses the edge between two corners: where it did, nearest to the outside,
  // or in the middle.
  int point_on(std::size_t cell, int k, int l) {
    const int axis = (k ^ l) == 1 ? 0 : (k ^ l) == 2 ? 1 : 2;
    const std::size_t low = corner(cell, std::min(k, l)), high = low + stride_[axis];
    int& known = points_.at(int(low), axis);
    if (known >= 0) return known;
    const bool low_inside = lattice_.inside[low] != 0;
    int best = -1;
    for (const auto& [edge, p] : seam_.on(3 * low + std::size_t(axis))) {
      const auto along = [&](int q) { return faces_.place(q)[axis]; };
      if (best < 0 || (low_inside ? along(p) > along(best) : along(p) < along(best))) best = p;
    }
    if (best >= 0) return points_.at(int(low), axis) = best;
    const Lattice::Node n = lattice_.node(low);
    Vec3 middle(n[0], n[1], n[2]);
    middle[axis] += 0.5;
    const bool bridged =
        lattice_.inside[low] == Lattice::bridged || lattice_.inside[high] == Lattice::bridged;
    best = faces_.add_point(middle, {});
    if (bridged) closes_gap_.push_back(best);
    return points_.at(int(low), axis) = best;
  }

  bool add_loop(std::size_t first) {
    std::vector<int> loop, on_face;
    bool simple = true;
    std::size_t s = first;
    do {
      Segment& segment = segments_[s];
      if (segment.used) return false;
      segment.used = true;
      simple = simple && segment.between.empty() &&
               std::find(on_face.begin(), on_face.end(), segment.face) == on_face.end();
      on_face.push_back(segment.face);
      loop.push_back(segment.from);
      loop.insert(loop.end(), segment.between.begin(), segment.between.end());
      const auto next = std::find_if(segments_.begin(), segments_.end(),
                                     [&](const Segment& t) { return t.from == segment.to; });
      if (next == segments_.end()) return false;
      s = std::size_t(next - segments_.begin());
    } while (s != first);
    if (loop.size() < 3) return false;
    add_surface(loop, simple);
    return true;
  }

  // Points in the middle of a bridged gap continue the surface beside it; others show the inside.
  int source_of(const std::vector<int>& loop, int point) const {
    if (faces_.triangle_of(point) >= 0) return surface_.source[faces_.triangle_of(point)];
    if (!std::binary_search(closes_gap_.begin(), closes_gap_.end(), point)) return -1;
    for (const int p : loop)
      if (faces_.triangle_of(p) >= 0) return surface_.source[faces_.triangle_of(p)];
    return -1;
  }

  // A diagonal may only be drawn where the neighbour across a face cannot draw the same one.
  void add_surface(const std::vector<int>& loop, bool simple) {
    std::vector<int> sources;
    for (const int p : loop) sources.push_back(source_of(loop, p));
    const auto face = [&](int i, int j, int k) {
      const int inner = std::min({sources[i], sources[j], sources[k]});
      faces_.add({loop[i], loop[j], loop[k]}, inner < 0 ? inner : sources[i]);
    };
    if (loop.size() == 3) return face(0, 1, 2);
    if (loop.size() == 4 && simple) {
      const auto worse = [&](int a, int b, int c, int d) {
        return std::min(faces_.flatness(loop[a], loop[b], loop[c]),
                        faces_.flatness(loop[a], loop[c], loop[d]));
      };
      const int turn = worse(0, 1, 2, 3) >= worse(1, 2, 3, 0) ? 0 : 1;
      face(turn, turn + 1, turn + 2);
      return face(turn, turn + 2, (turn + 3) % 4);
    }
    faces_.add_from_middle(loop, sources);
  }

  const TrackedSurface& surface_;
  const Lattice& lattice_;
  const Seam& seam_;
  NewFaces& faces_;
  const std::array<std::size_t, 3> stride_;
  bool in_[8] = {};
  std::vector<Segment> segments_;
  cut::PairMap points_;          // by lowest node and axis of an edge
  std::vector<int> closes_gap_;  // rising
};

// What lies outside of the cells: whole triangles, as far as their neighbours are; patches of those
// that reach inside.
void keep_rest(const TrackedSurface& surface, const Seam& seam, NewFaces& faces) {
  const cut::Sliced& sliced = seam.sliced();
  std::vector<char> used(sliced.points.size(), 0), reaches_in(surface.triangles.size(), 0);
  std::vector<char> at_cut(surface.points.size(), 0);  // an edge with cut points has two of these
  for (int t = 0; t < int(surface.triangles.size()); ++t) {
    if (!seam.is_sliced(t)) continue;
    for (const int p : surface.triangles[t]) at_cut[p] = 1;
    const auto [begin, end] = seam.patches(t);
    for (int p = begin; p < end; ++p)
      if (seam.cells().has(seam.cell_of(p))) reaches_in[t] = 1;
    for (int p = begin; reaches_in[t] && p < end; ++p)
      for (const int v : sliced.patches[p]) used[v] = 1;
  }
  std::vector<int> polygon, cut;
  for (int t = 0; t < int(surface.triangles.size()); ++t) {
    if (reaches_in[t]) {
      const auto [begin, end] = seam.patches(t);
      for (int p = begin; p < end; ++p)
        if (!seam.cells().has(seam.cell_of(p)))
          faces.add_polygon(sliced.patches[p], surface.source[t]);
      continue;
    }
    polygon.clear();
    for (int k = 0; k < 3; ++k) {
      const int a = surface.triangles[t][k], b = surface.triangles[t][(k + 1) % 3];
      polygon.push_back(a);
      if (!at_cut[a] || !at_cut[b]) continue;
      cut.clear();
      seam.cut_points(a, b, cut);
      for (const int p : cut)
        if (used[p]) polygon.push_back(p);
    }
    faces.add_polygon(polygon, surface.source[t]);
  }
}

}  // namespace

PatchReport patch(TrackedSurface& surface, const Lattice& lattice, CellSet& cells,
                  const OriginalSurface& original, int most_rounds, std::vector<char>& placed) {
  PatchReport report;
  Seam seam(surface.triangles, lattice, cells);
  const bool fits = seam.fit(most_rounds);
  report.rounds = seam.rounds();
  report.cells = int(cells.cells().size());
  if (!fits) return report;
  NewFaces faces(surface, lattice, seam, original);
  keep_rest(surface, seam, faces);
  if (!Marching(surface, lattice, seam, faces).run()) return report;
  faces.finish(surface, placed);
  report.done = true;
  return report;
}

}  // namespace pliant::track
