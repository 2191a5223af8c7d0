// The improvement pass of explicit surface tracking: Brochu and Bridson 2009, section 3, with the
// orders and thresholds that were found to keep link conditions and topology changes apart.
#include "geometry/track/improve.h"

#include <algorithm>
#include <cmath>

#include "core/parallel.h"
#include "geometry/track/collapse.h"
#include "geometry/track/spikes.h"

namespace pliant::track {
namespace {

constexpr int grain = 4096;  // triangles or points a chunk

// Shares and angles.
constexpr double needle = 0.12;  // of shape(): the shortest edge is collapsed
constexpr double good = 0.78;    // of shape(), whose best is 0.866: not worth a flip

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
        collapse_(surface, source, table, settings, original, placed) {}

  Improved run() {
    remove_valence_three();
    for (int sweep = 0; sweep < 3 && split_long(); ++sweep) {
    }
    for (int sweep = 0; sweep < 2 && collapse_short(sweep == 1); ++sweep) {
    }
    measure();
    collapse_needles();
    flip_all();
    // Folds of single faces look like thin matter and gaps to the lattice and would be patched.
    did_.spikes = blunt_spikes(surface_, table_, shortest_, placed_);
    return std::move(did_);
  }

 private:
  const Vec3& point(int p) const { return surface_.points[p]; }
  Corners corners(int t) const { return corners_of(surface_.points, table_.triangle(t)); }

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
    surface_.marks.push_back(Collapse::common(surface_.marks[a], surface_.marks[b]));
    placed_.push_back(1);
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

  Collapse::Outcome collapse(int c) {
    const Collapse::Outcome outcome = collapse_(c);
    did_.collapses += outcome == Collapse::Outcome::done;
    return outcome;
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
      if (collapse(c) != Collapse::Outcome::pinched || !last) continue;
      // What a patch or a cut left is small and crooked, and takes a few frames to be improved.
      if (std::max(surface_.marks[e.a], surface_.marks[e.b]) > TrackedSurface::sharp) continue;
      did_.pinches.push_back(0.5 * (point(e.a) + point(e.b)));
    }
    return !edges_.empty();
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

  TrackedSurface& surface_;
  std::vector<int>& source_;
  CornerTable& table_;
  const OriginalSurface& original_;
  std::vector<char>& placed_;
  const double longest_, shortest_;
  Collapse collapse_;
  Improved did_;
  std::vector<Edge> edges_;
  std::vector<std::vector<Edge>> found_;  // per chunk of triangles
  std::vector<float> shape_;
  std::vector<char> wanted_;
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
