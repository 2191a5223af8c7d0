#include "geometry/track/seeds.h"

#include <cmath>

#include "core/parallel.h"
#include "geometry/track/crossing_faces.h"

namespace pliant::track {
namespace {

// Thin matter and thin gaps have faces that look away from each other, and steeply so along the
// line: else silhouettes would count.
constexpr double opposed = -0.7;
constexpr double steep = 0.5;

class SeedSearch {
 public:
  SeedSearch(const TrackedSurface& surface, const TrackSettings& settings, const Matter& matter,
             Lattice& lattice, CellSet& cells)
      : surface_(surface), settings_(settings), matter_(matter), lattice_(lattice), cells_(cells) {}

  SeedCounts find(const std::vector<Vec3>& pinches) {
    find_wound();
    for (const Vec3& p : pinches) cells_.add_at(lattice_.to_cells(p));
    found_.pinched = int(pinches.size());
    find_normals();
    find_thin();
    found_.crossing = find_crossing_faces(surface_, normal_, lattice_, cells_);
    if (matter_.supports) find_unsupported();
    return found_;
  }

 private:
  void find_wound() {
    for (std::size_t n = 0; n < lattice_.winding.size(); ++n) {
      if (lattice_.winding[n] == 0 || lattice_.winding[n] == 1) continue;
      cells_.add_around(lattice_.node(n));
      ++found_.wound;
    }
  }

  void find_normals() {
    normal_.resize(surface_.triangles.size());
    parallel_for(int(normal_.size()), 4096, [&](int begin, int end) {
      for (int t = begin; t < end; ++t) {
        const Triangle& i = surface_.triangles[t];
        const Vec3& a = surface_.points[i[0]];
        const Vec3 n = (surface_.points[i[1]] - a).cross(surface_.points[i[2]] - a);
        const double length = n.norm();
        normal_[t] = length > 1e-300 ? Vec3(n / length) : Vec3(Vec3::Zero());
      }
    });
  }

  struct Hit {
    std::size_t line;
    Lattice::Crossing from, to;
    bool solid;
  };

  void find_thin() {
    std::array<std::vector<Hit>, 3> hits;
    parallel_for(3, 1, [&](int begin, int end) {
      for (int axis = begin; axis < end; ++axis) find_hits(axis, hits[axis]);
    });
    for (int axis = 0; axis < 3; ++axis)
      for (const Hit& hit : hits[axis]) apply(axis, hit);
  }

  void find_hits(int axis, std::vector<Hit>& hits) const {
    const double widest = matter_.joined ? std::max(settings_.gap, settings_.glue) : settings_.gap;
    for (std::size_t l = 0; l < lattice_.lines(axis); ++l) {
      const std::span<const Lattice::Crossing> line = lattice_.line(axis, l);
      int turns = 0;
      for (std::size_t c = 0; c + 1 < line.size(); ++c) {
        const int before = turns;
        turns += line[c].turn;
        const bool solid = before == 0 && turns == 1 && line[c + 1].turn == -1;
        const bool gap = before == 1 && turns == 0 && line[c + 1].turn == 1;
        if (!solid && !gap) continue;
        if (line[c + 1].at - line[c].at >= (solid ? settings_.thin : widest)) continue;
        const Vec3 &m = normal_[line[c].triangle], &n = normal_[line[c + 1].triangle];
        if (m.dot(n) > opposed || std::abs(m[axis]) < steep || std::abs(n[axis]) < steep) continue;
        hits.push_back({l, line[c], line[c + 1], solid});
      }
    }
  }

  void apply(int axis, const Hit& hit) {
    Lattice::Node n = lattice_.line_begin(axis, hit.line);
    if (!hit.solid && hit.to.at - hit.from.at >= settings_.gap) {
      if (!matter_.joined(on_line(n, axis, hit.from.at), on_line(n, axis, hit.to.at))) return;
      ++found_.glued;
    } else {
      ++(hit.solid ? found_.thin : found_.gaps);
    }
    const int first = int(std::ceil(hit.from.at)), last = int(std::floor(hit.to.at));
    for (int i = first; i <= last; ++i) {
      n[axis] = i;
      lattice_.inside[lattice_.number(n)] = hit.solid ? Lattice::outside : Lattice::bridged;
      cells_.add_around(n);
    }
    if (first <= last) return;
    for (const int i : {last, first}) {
      n[axis] = i;
      cells_.add_around(n);
    }
  }

  Vec3 on_line(const Lattice::Node& n, int axis, double at) const {
    Vec3 place(n[0], n[1], n[2]);
    place[axis] = at;
    return lattice_.to_space(place);
  }

  void find_unsupported() {
    for (std::size_t p = 0; p < surface_.points.size(); ++p) {
      if (matter_.supports(surface_.points[p])) continue;
      const Vec3& place = lattice_.places()[p];
      const Lattice::Node c = {int(std::floor(place[0])), int(std::floor(place[1])),
                               int(std::floor(place[2]))};
      cells_.add(c);
      ++found_.unsupported;
      for (int z = -1; z <= 2; ++z)
        for (int y = -1; y <= 2; ++y)
          for (int x = -1; x <= 2; ++x) draw_back({c[0] + x, c[1] + y, c[2] + z});
    }
  }

  void draw_back(const Lattice::Node& n) {
    if (!lattice_.has(n) || !lattice_.inside[lattice_.number(n)]) return;
    if (matter_.supports(lattice_.to_space(Vec3(n[0], n[1], n[2])))) return;
    lattice_.inside[lattice_.number(n)] = Lattice::outside;
    cells_.add_around(n);
  }

  const TrackedSurface& surface_;
  const TrackSettings& settings_;
  const Matter& matter_;
  Lattice& lattice_;
  CellSet& cells_;
  SeedCounts found_;
  std::vector<Vec3> normal_;
};

}  // namespace

void SeedCounts::add(const SeedCounts& other) {
  wound += other.wound;
  pinched += other.pinched;
  thin += other.thin;
  gaps += other.gaps;
  glued += other.glued;
  crossing += other.crossing;
  unsupported += other.unsupported;
}

SeedCounts find_seeds(const TrackedSurface& surface, const std::vector<Vec3>& pinches,
                      const TrackSettings& settings, const Matter& matter, Lattice& lattice,
                      CellSet& cells) {
  return SeedSearch(surface, settings, matter, lattice, cells).find(pinches);
}

}  // namespace pliant::track
