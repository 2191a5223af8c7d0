#include "geometry/track/plane_cut.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/assert.h"
#include "geometry/cut/pair_map.h"
#include "geometry/track/cap.h"
#include "geometry/track/original.h"
#include "geometry/track/pieces.h"

namespace pliant::track {
namespace {

class Cutting {
 public:
  Cutting(TrackedSurface& surface, const PlaneCut& cut, const OriginalSurface& original,
          std::vector<char>& placed)
      : surface_(surface),
        cut_(cut),
        original_(original),
        placed_(placed),
        normal_(cut.normal.normalized()),
        along_(normal_.unitOrthogonal()),
        across_(normal_.cross(along_)),
        given_(int(surface.points.size())) {}

  int run() {
    height_.resize(std::size_t(given_));
    for (int p = 0; p < given_; ++p) height_[p] = (surface_.points[p] - cut_.point).dot(normal_);
    const Components components = find_components(surface_);
    choose(components);
    if (std::find(chosen_.begin(), chosen_.end(), 1) == chosen_.end()) return 0;
    set_apart(components);
    cut_triangles(components);
    const std::vector<std::vector<int>> loops = join_loops();
    add_caps(loops);
    make_room(components);
    return int(loops.size());
  }

 private:
  // Heights from 0 to three clearances become those from one to three. Were caps moved alone, they
  // would pass the points close to them.
  void make_room(const Components& components) {
    placed_.resize(surface_.points.size(), 1);
    const double reach = 3 * cut_.clearance;
    for (int p = 0; p < int(surface_.points.size()); ++p) {
      const bool is_new = p >= given_;
      if (!is_new && (components.of_point[p] < 0 || !chosen_[components.of_point[p]])) continue;
      const double height = is_new ? 0 : std::abs(height_[p]);
      if (height >= reach) continue;
      const bool up = is_new ? (p - given_) % 2 == 1 : above(p);
      const double by = cut_.clearance * (1 - height / reach);
      surface_.points[p] += (up ? by : -by) * normal_;
      placed_[p] = 1;
    }
  }

  bool above(int p) const { return height_[p] >= 0; }
  Vec2 in_plane(const Vec3& p) const {
    return {(p - cut_.point).dot(along_), (p - cut_.point).dot(across_)};
  }
  Vec3 crossing(int a, int b) const {
    const double t = height_[a] / (height_[a] - height_[b]);
    return surface_.points[a] + t * (surface_.points[b] - surface_.points[a]);
  }

  // Components with points on both sides, whose sections lie within the polygon.
  void choose(const Components& components) {
    chosen_.assign(std::size_t(components.count), 0);
    std::vector<char> misses(chosen_.size(), 0), leaves(chosen_.size(), cut_.spared.empty());
    for (const Triangle& t : surface_.triangles)
      for (int k = 0; k < 3; ++k) {
        const int a = t[k], b = t[(k + 1) % 3];
        if (above(a) == above(b)) continue;
        chosen_[components.of_point[a]] = 1;
        const Vec3 place = crossing(a, b);
        if (!is_within(place)) misses[components.of_point[a]] = 1;
        if (!cut_.spared.empty() && !is_in_polygon(in_plane(place), cut_.spared))
          leaves[components.of_point[a]] = 1;
      }
    for (std::size_t c = 0; c < chosen_.size(); ++c)
      if (chosen_[c] && !leaves[c]) misses[c] = 1;
    for (std::size_t c = 0; c < chosen_.size(); ++c)
      if (misses[c]) chosen_[c] = 0;
    // A void whose piece is not cut stays whole, and the other way round.
    std::vector<char> kept(std::size_t(surface_.pieces()), 0);
    for (int p = 0; p < given_; ++p)
      if (components.of_point[p] >= 0 && misses[components.of_point[p]])
        kept[surface_.piece[p]] = 1;
    for (int p = 0; p < given_; ++p)
      if (components.of_point[p] >= 0 && kept[surface_.piece[p]])
        chosen_[components.of_point[p]] = 0;
  }

  bool is_within(const Vec3& p) const {
    if (cut_.within.empty()) return true;
    const Vec2 place = in_plane(p);
    return std::any_of(
        cut_.within.begin(), cut_.within.end(),
        [&](const std::vector<Vec3>& polygon) { return is_in_polygon(place, polygon); });
  }

  // Counts the sides that a line along the first axis crosses.
  bool is_in_polygon(const Vec2& p, const std::vector<Vec3>& polygon) const {
    bool inside = false;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
      const Vec2 a = in_plane(polygon[i]), b = in_plane(polygon[(i + 1) % polygon.size()]);
      if ((a.y() > p.y()) == (b.y() > p.y())) continue;
      if (p.x() < a.x() + (p.y() - a.y()) / (b.y() - a.y()) * (b.x() - a.x())) inside = !inside;
    }
    return inside;
  }

  void set_apart(const Components& components) {
    const int offset = 1 + *std::max_element(surface_.apart.begin(), surface_.apart.end());
    // All of a piece's upper half, voids included that the plane misses.
    std::vector<char> cut_piece(std::size_t(surface_.pieces()), 0);
    for (int p = 0; p < given_; ++p)
      if (components.of_point[p] >= 0 && chosen_[components.of_point[p]])
        cut_piece[surface_.piece[p]] = 1;
    for (int p = 0; p < given_; ++p)
      if (components.of_point[p] >= 0 && cut_piece[surface_.piece[p]] && above(p))
        surface_.apart[p] += offset;
    renumber_apart();
  }

  // From 0 on without gaps, in their order: they would double with every cut.
  void renumber_apart() {
    std::vector<int> numbers = surface_.apart;
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    for (int& apart : surface_.apart)
      apart = int(std::lower_bound(numbers.begin(), numbers.end(), apart) - numbers.begin());
  }

  void cut_triangles(const Components& components) {
    std::vector<Triangle> triangles;
    std::vector<int> source;
    const auto add = [&](const Triangle& t, int from) {
      triangles.push_back(t);
      source.push_back(from);
    };
    for (std::size_t n = 0; n < surface_.triangles.size(); ++n) {
      const Triangle t = surface_.triangles[n];
      const int from = surface_.source[n];
      const int count = above(t[0]) + above(t[1]) + above(t[2]);
      if (count == 0 || count == 3 || !chosen_[components.of_point[t[0]]]) {
        add(t, from);
        continue;
      }
      int k = 0;
      while (above(t[k]) != (count == 1)) ++k;  // the corner that is alone on its side
      const int a = t[k], b = t[(k + 1) % 3], c = t[(k + 2) % 3];
      const int p = cut_point(a, b, from), q = cut_point(a, c, from);  // lower; the upper is next
      const int own = count == 1 ? 1 : 0, other = 1 - own;
      add({a, p + own, q + own}, from);
      add({p + other, b, c}, from);
      add({p + other, c, q + other}, from);
      // The lower cap goes on where the lower triangles end.
      next_.emplace_back(count == 1 ? p : q, count == 1 ? q : p);
    }
    surface_.triangles = std::move(triangles);
    surface_.source = std::move(source);
  }

  int cut_point(int a, int b, int source) {
    int& known = points_.at(std::min(a, b), std::max(a, b));
    if (known >= 0) return known;
    const int low = std::min(a, b), high = std::max(a, b);
    const double t = height_[low] / (height_[low] - height_[high]);
    const std::array<Origin, 2> ends = {surface_.origin[low], surface_.origin[high]};
    const Origin origin = original_.between(ends, std::array{1 - t, t}, source);
    known = add_pair(crossing(low, high), origin, above(a) ? b : a, above(a) ? a : b);
    return known;
  }

  // A point for the lower side and one for the upper, which belong with two known points.
  int add_pair(const Vec3& place, const Origin& origin, int lower, int upper) {
    for (const int side : {lower, upper}) {
      surface_.points.push_back(place);
      surface_.origin.push_back(origin);
      surface_.piece.push_back(surface_.piece[side]);
      surface_.apart.push_back(surface_.apart[side]);
      surface_.marks.push_back(TrackedSurface::fresh | TrackedSurface::sharp);
    }
    return int(surface_.points.size()) - 2;
  }

  std::vector<std::vector<int>> join_loops() {
    std::sort(next_.begin(), next_.end());
    std::vector<char> used(next_.size(), 0);
    std::vector<std::vector<int>> loops;
    for (std::size_t i = 0; i < next_.size(); ++i) {
      if (used[i]) continue;
      std::vector<int>& loop = loops.emplace_back();
      for (std::size_t at = i; !used[at];) {
        used[at] = 1;
        loop.push_back(next_[at].first);
        at = std::size_t(
            std::lower_bound(next_.begin(), next_.end(), std::pair(next_[at].second, -1)) -
            next_.begin());
        ASSERT(at < next_.size(), "sections of a closed surface are closed");
      }
    }
    return loops;
  }

  void add_caps(const std::vector<std::vector<int>>& loops) {
    // Loops by pairs of points: number p of the cap is the pair given_ + 2 p.
    std::vector<std::vector<int>> rows = loops;
    std::vector<Vec2> place;
    for (int p = given_; p < int(surface_.points.size()); p += 2)
      place.push_back(in_plane(surface_.points[p]));
    for (std::vector<int>& row : rows)
      for (int& p : row) p = (p - given_) / 2;
    const std::size_t before = place.size();
    const std::vector<Triangle> cap = cap_loops(rows, place);
    for (std::size_t p = before; p < place.size(); ++p) {
      const auto with =
          std::find_if(cap.begin(), cap.end(), [&](const Triangle& t) { return t[0] == int(p); });
      const int beside = given_ + 2 * (*with)[1];
      add_pair(cut_.point + place[p].x() * along_ + place[p].y() * across_, {}, beside, beside + 1);
    }
    for (const Triangle& t : cap) {
      const int a = given_ + 2 * t[0], b = given_ + 2 * t[1], c = given_ + 2 * t[2];
      surface_.triangles.push_back({a, b, c});
      surface_.triangles.push_back({a + 1, c + 1, b + 1});
      surface_.source.insert(surface_.source.end(), 2, -1);
    }
  }

  TrackedSurface& surface_;
  const PlaneCut& cut_;
  const OriginalSurface& original_;
  std::vector<char>& placed_;
  const Vec3 normal_, along_, across_;
  const int given_;
  std::vector<double> height_;
  std::vector<char> chosen_;  // per component
  cut::PairMap points_;
  std::vector<std::pair<int, int>> next_;  // sides of the lower cap
};

}  // namespace

int cut_by_plane(TrackedSurface& surface, const PlaneCut& cut, const OriginalSurface& original,
                 std::vector<char>& placed) {
  return Cutting(surface, cut, original, placed).run();
}

}  // namespace pliant::track
