// The improvement pass of explicit surface tracking: Brochu and Bridson 2009, section 3, with the
// orders and thresholds that were found to keep link conditions and topology changes apart.
#include "geometry/track/improve.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/parallel.h"

namespace pliant::track {
namespace {

constexpr int grain = 4096;  // triangles or points a chunk

// Shares and angles.
constexpr double needle = 0.12;        // of shape(): the shortest edge is collapsed
constexpr double good = 0.78;          // of shape(), whose best is 0.866: not worth a flip
constexpr double degenerate = 1e-3;    // of flatness(): has no normal to keep
constexpr double off_plane = 0.1;      // of the longest edge: what a collapse may cut off
constexpr double turned = 0.5;         // cosine of 60 degrees: a collapse may turn a face no more
constexpr double spike_cosine = 0.42;  // of 65 degrees between a face and its point's normal

struct Corners {
  Vec3 a, b, c;

  Vec3 normal() const { return (b - a).cross(c - a); }
  double longest2() const {
    return std::max({(b - a).squaredNorm(), (c - b).squaredNorm(), (a - c).squaredNorm()});
  }
};

// Twice the area over the square of the longest edge: 0.87 of an equilateral triangle.
double flatness(const Corners& t) { return t.normal().norm() / (t.longest2() + 1e-300); }

// The same over the product of the two longer edges: does not call a needle flat.
double shape(const Corners& t) {
  const double x = (t.b - t.a).norm(), y = (t.c - t.b).norm(), z = (t.a - t.c).norm();
  return std::min({x, y, z}) * t.normal().norm() / (x * y * z + 1e-300);
}

// Of a point between two others.
std::uint8_t common(std::uint8_t mark_a, std::uint8_t mark_b) {
  const std::uint8_t sharp = mark_a & mark_b & TrackedSurface::sharp;
  return std::uint8_t((std::min(mark_a, mark_b) & ~TrackedSurface::sharp) | sharp);
}

struct Edge {
  double length2;
  int a, b;
};

class Pass {
 public:
  Pass(TrackedSurface& surface, std::vector<int>& source, CornerTable& table,
       const TrackSettings& settings, const OriginalSurface& original, std::vector<char>& placed)
      : surface_(surface),
        source_(source),
        table_(table),
        original_(original),
        placed_(placed),
        longest_(settings.longest),
        shortest_(settings.longest * settings.shortest),
        stamp_(surface.points.size(), 0) {}

  Improved run() {
    remove_valence_three();
    for (int sweep = 0; sweep < 3 && split_long(); ++sweep) {
    }
    for (int sweep = 0; sweep < 2 && collapse_short(sweep == 1); ++sweep) {
    }
    measure();
    collapse_needles();
    flip_all();
    blunt_spikes();
    return std::move(did_);
  }

 private:
  const Vec3& point(int p) const { return surface_.points[p]; }
  Corners corners(int t) const {
    const Triangle& i = table_.triangle(t);
    return {point(i[0]), point(i[1]), point(i[2])};
  }

  // Edges whose squared length passes, each once, in the order of triangles.
  template <class Passes>
  void find_edges(const Passes& passes) {
    edges_.clear();
    const int count = table_.size();
    const int chunks = (count + grain - 1) / grain;
    if (int(found_.size()) < chunks) found_.resize(std::size_t(chunks));
    parallel_for(count, grain, [&](int begin, int end) {
      std::vector<Edge>& found = found_[begin / grain];
      found.clear();
      for (int t = begin; t < end; ++t) {
        if (table_.is_dead(t)) continue;
        const Triangle& i = table_.triangle(t);
        for (int k = 0; k < 3; ++k) {
          const int a = i[k], b = i[(k + 1) % 3];
          if (a > b) continue;
          const double length2 = (point(a) - point(b)).squaredNorm();
          if (passes(length2)) found.push_back({length2, a, b});
        }
      }
    });
    for (int chunk = 0; chunk < chunks; ++chunk)
      edges_.insert(edges_.end(), found_[chunk].begin(), found_[chunk].end());
  }

  void sort_edges(bool longest_first) {
    std::sort(edges_.begin(), edges_.end(), [&](const Edge& e, const Edge& f) {
      if (e.length2 != f.length2) return (e.length2 > f.length2) == longest_first;
      return e.a != f.a ? e.a < f.a : e.b < f.b;
    });
  }

  bool split_long() {
    const double most = longest_ * longest_;
    find_edges([&](double length2) { return length2 > most; });
    sort_edges(true);
    for (const Edge& e : edges_) split(table_.corner_opposite(e.a, e.b));
    return !edges_.empty();
  }

  void split(int c) {
    const int a = table_.at(table_.next(c)), b = table_.at(table_.previous(c));
    const int middle = int(surface_.points.size());
    surface_.points.push_back(0.5 * (point(a) + point(b)));
    surface_.origin.push_back(halfway(a, b, source_[c / 3]));
    surface_.piece.push_back(surface_.piece[a]);
    surface_.apart.push_back(surface_.apart[a]);
    surface_.marks.push_back(common(surface_.marks[a], surface_.marks[b]));
    placed_.push_back(1);
    stamp_.push_back(0);
    const int left = source_[c / 3], right = source_[table_.opposite(c) / 3];
    source_.push_back(left);
    source_.push_back(right);
    table_.split(c, middle);
    ++did_.splits;
  }

  Origin halfway(int a, int b, int source) const {
    const std::array<Origin, 2> ends = {surface_.origin[a], surface_.origin[b]};
    return original_.between(ends, std::array{0.5, 0.5}, source);
  }

  // False: nothing left to do. Pinches are told by the last sweep only, when the first has removed
  // what merely was in the way.
  bool collapse_short(bool last) {
    const double least = shortest_ * shortest_;
    find_edges([&](double length2) { return length2 < least; });
    sort_edges(false);
    for (const Edge& e : edges_) {
      const int c = table_.corner_opposite(e.a, e.b);
      if (c < 0 || (point(e.a) - point(e.b)).squaredNorm() >= least) continue;
      if (collapse(c) != Outcome::pinched || !last) continue;
      // What a patch or a cut left is small and crooked, and takes a few frames to be improved.
      if (std::max(surface_.marks[e.a], surface_.marks[e.b]) > TrackedSurface::sharp) continue;
      did_.pinches.push_back(0.5 * (point(e.a) + point(e.b)));
    }
    return !edges_.empty();
  }

  enum class Outcome { done, refused, pinched };

  Outcome collapse(int c) {
    const int o = table_.opposite(c);
    const int a = table_.at(table_.next(c)), b = table_.at(table_.previous(c));
    if (table_.at(c) == table_.at(o)) return Outcome::pinched;
    if (common_neighbours(a, b) != 2) return Outcome::pinched;
    if (table_.valence(table_.at(c), 4) <= 3 || table_.valence(table_.at(o), 4) <= 3)
      return Outcome::refused;
    const double tiny = 0.25 * shortest_;
    const bool any_angle = (point(a) - point(b)).squaredNorm() < tiny * tiny;
    const Vec3 places[3] = {0.5 * (point(a) + point(b)), point(a), point(b)};
    int best = -1;
    double least = std::numeric_limits<double>::infinity();
    // Edges of cuts stay where they are: a point beside one joins it, not the other way round.
    const bool sharp_a = surface_.marks[a] & TrackedSurface::sharp;
    const bool sharp_b = surface_.marks[b] & TrackedSurface::sharp;
    for (int k = 0; k < 3; ++k) {
      if (sharp_a != sharp_b && k != (sharp_a ? 1 : 2)) continue;
      if (!fits(a, c, places[k], any_angle) || !fits(b, c, places[k], any_angle)) continue;
      const double swept = swept_volume(a, places[k]) + swept_volume(b, places[k]);
      if (best >= 0 && swept >= 0.9 * least) continue;
      best = k;
      least = swept;
    }
    if (best < 0) return Outcome::refused;
    surface_.origin[a] =
        best == 0 ? halfway(a, b, source_[c / 3]) : surface_.origin[best == 1 ? a : b];
    surface_.points[a] = places[best];
    placed_[a] = best == 1 ? placed_[a] : 1;
    const std::uint8_t mark_a = surface_.marks[a], mark_b = surface_.marks[b];
    surface_.marks[a] = best == 0 ? common(mark_a, mark_b) : best == 1 ? mark_a : mark_b;
    table_.collapse(c);
    ++did_.collapses;
    return Outcome::done;
  }

  // Six times the volume between the triangles round `p` and the same with it at `place`: on a
  // flat side nothing, so that edges and corners of a box stay where they are.
  double swept_volume(int p, const Vec3& place) const {
    const Vec3 way = place - point(p);
    const int begin = table_.corner_of(p);
    int corner = begin;
    double sum = 1e-12 * longest_ * longest_ * longest_;  // rounding
    do {
      const Vec3& b = point(table_.at(table_.next(corner)));
      const Vec3& c = point(table_.at(table_.previous(corner)));
      sum += std::abs((b - point(p)).cross(c - point(p)).dot(way));
      corner = table_.swing(corner);
    } while (corner != begin);
    return sum;
  }

  int common_neighbours(int a, int b) {
    table_.ring(a, ring_);
    ++time_;
    for (const int p : ring_) stamp_[p] = time_;
    table_.ring(b, ring_);
    int common = 0;
    for (const int p : ring_) common += stamp_[p] == time_;
    return common;
  }

  // Whether the triangles round `p`, but for the two at the edge opposite to c, may have it at
  // `place` instead.
  bool fits(int p, int c, const Vec3& place, bool any_angle) const {
    const int dying = c / 3, dying_too = table_.opposite(c) / 3;
    const int begin = table_.corner_of(p);
    int corner = begin;
    do {
      const int t = corner / 3;
      if (t != dying && t != dying_too) {
        const Corners old{point(p), point(table_.at(table_.next(corner))),
                          point(table_.at(table_.previous(corner)))};
        if (!may_become(old, {place, old.b, old.c}, any_angle)) return false;
      }
      corner = table_.swing(corner);
    } while (corner != begin);
    return true;
  }

  bool may_become(const Corners& old, const Corners& now, bool any_angle) const {
    const Vec3 old_normal = old.normal(), normal = now.normal();
    const double old_longest2 = old.longest2(), longest2 = now.longest2();
    const bool worse = normal.norm() * old_longest2 < old_normal.norm() * longest2;
    const double most = longest_ * longest_ * (any_angle ? 1.5 : 1);
    if (longest2 > most && longest2 > old_longest2) return false;
    // Edges far too short are what patches leave; their faces point anywhere.
    if (any_angle) return !(normal.norm() < degenerate * longest2 && worse);
    if (normal.norm() < 0.02 * longest2 && worse) return false;
    if (old_normal.norm() < degenerate * old_longest2) return true;
    if (std::abs(old_normal.dot(now.a - old.a)) > off_plane * longest_ * old_normal.norm())
      return false;
    return old_normal.dot(normal) >= turned * old_normal.norm() * normal.norm();
  }

  // They make link conditions fail for ever and look like pinches.
  void remove_valence_three() {
    for (int round = 0; round < 2; ++round) {
      std::vector<std::uint8_t> valence(surface_.points.size(), 0);  // 4 stands for more
      for (int t = 0; t < table_.size(); ++t) {
        if (table_.is_dead(t)) continue;
        for (const int p : table_.triangle(t))
          valence[p] = std::uint8_t(valence[p] + (valence[p] < 4));
      }
      for (int p = 0; p < int(surface_.points.size()); ++p) {
        const int c = table_.corner_of(p);
        if (valence[p] != 3 || table_.valence(p, 4) != 3 || !may_go(c)) continue;
        table_.remove_valence_three(c);
        ++did_.removed;
      }
      if (did_.removed == 0) return;
    }
  }

  bool may_go(int c) const {
    const int a = table_.at(table_.next(c)), b = table_.at(table_.previous(c));
    const int d = table_.at(table_.previous(table_.swing(c)));
    if (d == a) return false;
    if (table_.valence(a, 4) <= 3 || table_.valence(b, 4) <= 3 || table_.valence(d, 4) <= 3)
      return false;
    // A tetrahedron's other side would become the same triangle twice.
    const int back = table_.opposite(c);
    if (table_.at(back) == d) return false;
    const Vec3 normal = (point(b) - point(a)).cross(point(d) - point(a)).normalized();
    return std::abs(normal.dot(point(table_.at(c)) - point(a))) <= 0.3 * longest_;
  }

  void measure() {
    shape_.resize(std::size_t(table_.size()));
    parallel_for(table_.size(), grain, [&](int begin, int end) {
      for (int t = begin; t < end; ++t)
        shape_[t] = table_.is_dead(t) ? float(good) : float(shape(corners(t)));
    });
  }

  void collapse_needles() {
    for (int t = 0; t < table_.size(); ++t) {
      if (shape_[t] >= needle || table_.is_dead(t)) continue;
      const Corners at = corners(t);
      if (shape(at) >= needle) continue;
      const double length2[3] = {(at.c - at.b).squaredNorm(), (at.a - at.c).squaredNorm(),
                                 (at.b - at.a).squaredNorm()};  // opposite to corner k
      const int k = int(std::min_element(length2, length2 + 3) - length2);
      if (4 * length2[k] < longest_ * longest_) collapse(3 * t + k);
    }
  }

  void flip_all() {
    if (did_.collapses > 0) measure();
    const int count = table_.size();
    wanted_.assign(std::size_t(count), 0);
    parallel_for(count, grain, [&](int begin, int end) {
      for (int t = begin; t < end; ++t) {
        if (shape_[t] >= good || table_.is_dead(t)) continue;
        for (int k = 0; k < 3; ++k) wanted_[t] |= char(should_flip(3 * t + k) << k);
      }
    });
    for (int t = 0; t < count; ++t) {
      for (int k = 0; wanted_[t] && k < 3; ++k) {
        const int c = 3 * t + k;
        if ((wanted_[t] & 1 << k) == 0 || !should_flip(c) || !may_flip(c)) continue;
        table_.flip(c);
        ++did_.flips;
        break;
      }
    }
  }

  // By shape alone: the worse of the two triangles gets better by a tenth, and what is not flat is
  // not turned.
  bool should_flip(int c) const {
    const Vec3 &x = point(table_.at(c)), &y = point(table_.at(table_.opposite(c)));
    const Vec3 &a = point(table_.at(table_.next(c))), &b = point(table_.at(table_.previous(c)));
    if ((x - y).squaredNorm() > longest_ * longest_) return false;
    const Corners left{x, a, b}, right{y, b, a};
    const Vec3 m = left.normal(), n = right.normal();
    const bool flat = m.dot(n) >= 0.848 * m.norm() * n.norm();  // 32 degrees
    if (!flat && flatness(left) >= 1e-2 && flatness(right) >= 1e-2) return false;
    const Corners lower{x, a, y}, upper{y, b, x};
    const double now = std::min(shape(left), shape(right));
    if (std::min(shape(lower), shape(upper)) < 1.1 * now + 1e-9) return false;
    const Vec3 sum = (m + n).normalized(), p = lower.normal(), q = upper.normal();
    return p.dot(sum) >= 0.707 * p.norm() && q.dot(sum) >= 0.707 * q.norm();  // 45 degrees
  }

  bool may_flip(int c) const {
    const int x = table_.at(c), y = table_.at(table_.opposite(c));
    if (x == y || table_.corner_opposite(x, y) >= 0) return false;
    return table_.valence(table_.at(table_.next(c)), 4) > 3 &&
           table_.valence(table_.at(table_.previous(c)), 4) > 3;
  }

  // Folds of single faces look like thin matter and gaps to the lattice and would be patched.
  void blunt_spikes() {
    const int points = int(surface_.points.size());
    normal_.resize(std::size_t(table_.size()));
    parallel_for(table_.size(), grain, [&](int begin, int end) {
      for (int t = begin; t < end; ++t)
        normal_[t] = table_.is_dead(t) ? Vec3(Vec3::Zero()) : corners(t).normal();
    });
    point_normal_.assign(std::size_t(points), Vec3::Zero());
    for (int t = 0; t < table_.size(); ++t) {
      if (table_.is_dead(t)) continue;
      for (const int p : table_.triangle(t)) point_normal_[p] += normal_[t];
    }
    spike_.assign(std::size_t(points), 0);
    const double least = 1e-3 * shortest_ * shortest_;
    for (int t = 0; t < table_.size(); ++t) {
      if (table_.is_dead(t) || !(normal_[t].squaredNorm() > least * least)) continue;
      for (const int p : table_.triangle(t)) {
        const double cosine = normal_[t].dot(point_normal_[p]);
        const double size2 = normal_[t].squaredNorm() * point_normal_[p].squaredNorm();
        if (cosine < 0 || cosine * cosine < spike_cosine * spike_cosine * size2) spike_[p] = 1;
      }
    }
    move_spikes(least);
  }

  // Normals weighted by areas lean to the larger faces and only tell the points to be looked at;
  // weighted by angles they do not depend on how flat sides are divided.
  bool is_spike(int p, double least) const {
    const int begin = table_.corner_of(p);
    Vec3 normal = Vec3::Zero();
    int corner = begin;
    do {
      const Vec3 u = point(table_.at(table_.next(corner))) - point(p);
      const Vec3 v = point(table_.at(table_.previous(corner))) - point(p);
      const Vec3& face = normal_[corner / 3];
      if (face.norm() > least)
        normal += std::atan2(u.cross(v).norm(), u.dot(v)) * face.normalized();
      corner = table_.swing(corner);
    } while (corner != begin);
    do {
      const Vec3& face = normal_[corner / 3];
      if (face.norm() > least && face.dot(normal) < spike_cosine * face.norm() * normal.norm())
        return true;
      corner = table_.swing(corner);
    } while (corner != begin);
    return false;
  }

  void move_spikes(double least) {
    std::vector<std::pair<int, Vec3>> places;
    for (int p = 0; p < int(spike_.size()); ++p) {
      if (!spike_[p] || (surface_.marks[p] & TrackedSurface::sharp) != 0) continue;
      if (!is_spike(p, least)) continue;
      table_.ring(p, ring_);
      Vec3 mean = Vec3::Zero();
      for (const int q : ring_) mean += point(q) / double(ring_.size());
      places.emplace_back(p, point(p) + 0.3 * (mean - point(p)));
    }
    for (const auto& [p, place] : places) {
      surface_.points[p] = place;
      placed_[p] = 1;
    }
    did_.spikes = int(places.size());
  }

  TrackedSurface& surface_;
  std::vector<int>& source_;
  CornerTable& table_;
  const OriginalSurface& original_;
  std::vector<char>& placed_;
  const double longest_, shortest_;
  Improved did_;
  std::vector<Edge> edges_;
  std::vector<std::vector<Edge>> found_;  // per chunk of triangles
  std::vector<int> ring_, stamp_;
  int time_ = 0;
  std::vector<float> shape_;
  std::vector<char> wanted_, spike_;
  std::vector<Vec3> normal_, point_normal_;
};

}  // namespace

Improved Improver::improve(TrackedSurface& surface, const TrackSettings& settings,
                           const OriginalSurface& original, std::vector<char>& placed) {
  source_ = surface.source;
  table_.take(surface.triangles, int(surface.points.size()));
  Improved did = Pass(surface, source_, table_, settings, original, placed).run();
  if (!did.triangles_changed()) return did;
  surface.triangles = table_.give(kept_);
  surface.source.resize(kept_.size());
  for (std::size_t t = 0; t < kept_.size(); ++t) surface.source[t] = source_[kept_[t]];
  return did;
}

}  // namespace pliant::track
