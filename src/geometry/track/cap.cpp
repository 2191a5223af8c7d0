// Ear clipping with bridges to holes: Eberly, "Triangulation by ear clipping", 2002. The
// best-shaped ear is clipped first.
#include "geometry/track/cap.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace pliant::track {
namespace {

using Loop = std::vector<int>;

double cross(const Vec2& a, const Vec2& b) { return a.x() * b.y() - a.y() * b.x(); }
double turn(const Vec2& a, const Vec2& b, const Vec2& c) { return cross(b - a, c - a); }

class Capping {
 public:
  explicit Capping(std::vector<Vec2>& place) : place_(place) {}

  std::vector<Triangle> run(const std::vector<Loop>& loops) {
    std::vector<const Loop*> outer, holes;
    for (const Loop& loop : loops) (area(loop) < 0 ? holes : outer).push_back(&loop);
    std::vector<std::vector<const Loop*>> inner(outer.size());
    std::vector<const Loop*> lost;  // holes in nothing
    for (const Loop* hole : holes) {
      const int owner = smallest_round(outer, *hole);
      (owner < 0 ? lost : inner[owner]).push_back(hole);
    }
    for (std::size_t i = 0; i < outer.size(); ++i) {
      std::vector<Triangle> ears;
      if (clip(with_bridges(*outer[i], inner[i]), ears) && is_proper(ears)) {
        out_.insert(out_.end(), ears.begin(), ears.end());
        continue;
      }
      add_fan(*outer[i]);
      for (const Loop* hole : inner[i]) add_fan(*hole);
    }
    for (const Loop* hole : lost) add_fan(*hole);
    return std::move(out_);
  }

 private:
  double area(const Loop& loop) const {
    double twice = 0;
    for (std::size_t i = 0; i < loop.size(); ++i)
      twice += cross(place_[loop[i]] - place_[loop[0]],
                     place_[loop[(i + 1) % loop.size()]] - place_[loop[0]]);
    return 0.5 * twice;
  }

  bool contains(const Loop& loop, const Vec2& p) const {
    bool inside = false;
    for (std::size_t i = 0; i < loop.size(); ++i) {
      const Vec2 &a = place_[loop[i]], &b = place_[loop[(i + 1) % loop.size()]];
      if ((a.y() > p.y()) != (b.y() > p.y()) &&
          p.x() < a.x() + (p.y() - a.y()) / (b.y() - a.y()) * (b.x() - a.x()))
        inside = !inside;
    }
    return inside;
  }

  int smallest_round(const std::vector<const Loop*>& outer, const Loop& hole) const {
    int best = -1;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < outer.size(); ++i) {
      if (area(*outer[i]) >= least || !contains(*outer[i], place_[hole[0]])) continue;
      least = area(*outer[i]);
      best = int(i);
    }
    return best;
  }

  // One loop round all, by a way there and back to each hole; the rightmost hole first.
  Loop with_bridges(Loop loop, std::vector<const Loop*> holes) const {
    const auto rightmost = [&](const Loop& hole) {
      return *std::max_element(hole.begin(), hole.end(), [&](int a, int b) {
        return std::pair(place_[a].x(), a) < std::pair(place_[b].x(), b);
      });
    };
    std::sort(holes.begin(), holes.end(), [&](const Loop* a, const Loop* b) {
      return std::pair(place_[rightmost(*a)].x(), rightmost(*a)) >
             std::pair(place_[rightmost(*b)].x(), rightmost(*b));
    });
    for (const Loop* hole : holes) {
      const int from = rightmost(*hole);
      const std::size_t to = visible_from(loop, from, holes);
      Loop way;
      const auto start = std::find(hole->begin(), hole->end(), from);
      way.push_back(loop[to]);
      way.insert(way.end(), start, hole->end());
      way.insert(way.end(), hole->begin(), start);
      way.push_back(from);
      loop.insert(loop.begin() + std::ptrdiff_t(to), way.begin(), way.end());
    }
    return loop;
  }

  // The nearest corner of the loop that sees a point, with the point inside of its angle.
  std::size_t visible_from(const Loop& loop, int from,
                           const std::vector<const Loop*>& holes) const {
    const Vec2& p = place_[from];
    std::size_t best = 0;
    double nearest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < loop.size(); ++i) {
      const Vec2& q = place_[loop[i]];
      const double distance = (q - p).squaredNorm();
      if (distance >= nearest || !in_angle(loop, i, p)) continue;
      bool free = !blocked(loop, from, loop[i]);
      for (const Loop* hole : holes) free = free && !blocked(*hole, from, loop[i]);
      if (!free) continue;
      nearest = distance;
      best = i;
    }
    return best;
  }

  bool in_angle(const Loop& loop, std::size_t i, const Vec2& p) const {
    const Vec2& before = place_[loop[(i + loop.size() - 1) % loop.size()]];
    const Vec2 &at = place_[loop[i]], &after = place_[loop[(i + 1) % loop.size()]];
    const bool left = turn(before, at, p) > 0, right = turn(at, after, p) > 0;
    return turn(before, at, after) > 0 ? left && right : left || right;
  }

  bool blocked(const Loop& loop, int p, int q) const {
    for (std::size_t i = 0; i < loop.size(); ++i) {
      const int a = loop[i], b = loop[(i + 1) % loop.size()];
      if (a == p || a == q || b == p || b == q) continue;
      if ((turn(place_[p], place_[q], place_[a]) > 0) !=
              (turn(place_[p], place_[q], place_[b]) > 0) &&
          (turn(place_[a], place_[b], place_[p]) > 0) !=
              (turn(place_[a], place_[b], place_[q]) > 0))
        return true;
    }
    return false;
  }

  // Twice the area over the square of the longest side; below 0: no ear.
  double ear_shape(const Loop& loop, std::size_t i) const {
    const int before = loop[(i + loop.size() - 1) % loop.size()], at = loop[i];
    const int after = loop[(i + 1) % loop.size()];
    const Vec2 &a = place_[before], &b = place_[at], &c = place_[after];
    const double twice = turn(a, b, c);
    if (!(twice > 0) || before == after) return -1;
    for (const int p : loop) {
      if (p == before || p == at || p == after) continue;
      const Vec2& q = place_[p];
      if (turn(a, b, q) >= 0 && turn(b, c, q) >= 0 && turn(c, a, q) >= 0) return -1;
    }
    return twice / std::max({(b - a).squaredNorm(), (c - b).squaredNorm(), (a - c).squaredNorm()});
  }

  bool clip(Loop loop, std::vector<Triangle>& ears) const {
    std::vector<double> shape(loop.size());
    for (std::size_t i = 0; i < loop.size(); ++i) shape[i] = ear_shape(loop, i);
    while (loop.size() > 3) {
      const std::size_t i =
          std::size_t(std::max_element(shape.begin(), shape.end()) - shape.begin());
      if (shape[i] < 0) return false;
      const std::size_t n = loop.size();
      ears.push_back({loop[(i + n - 1) % n], loop[i], loop[(i + 1) % n]});
      loop.erase(loop.begin() + std::ptrdiff_t(i));
      shape.erase(shape.begin() + std::ptrdiff_t(i));
      for (const std::size_t k : {(i + n - 2) % (n - 1), i % (n - 1)})
        shape[k] = ear_shape(loop, k);
    }
    ears.push_back({loop[0], loop[1], loop[2]});
    return true;
  }

  // No side twice in one sense, and no point twice in a triangle.
  static bool is_proper(const std::vector<Triangle>& triangles) {
    std::vector<std::pair<int, int>> sides;
    for (const Triangle& t : triangles)
      for (int k = 0; k < 3; ++k) {
        if (t[k] == t[(k + 1) % 3]) return false;
        sides.emplace_back(t[k], t[(k + 1) % 3]);
      }
    std::sort(sides.begin(), sides.end());
    return std::adjacent_find(sides.begin(), sides.end()) == sides.end();
  }

  void add_fan(const Loop& loop) {
    Vec2 middle = Vec2::Zero();
    for (const int p : loop) middle += place_[p] / double(loop.size());
    const int centre = int(place_.size());
    place_.push_back(middle);
    for (std::size_t i = 0; i < loop.size(); ++i)
      out_.push_back({centre, loop[i], loop[(i + 1) % loop.size()]});
  }

  std::vector<Vec2>& place_;
  std::vector<Triangle> out_;
};

}  // namespace

std::vector<Triangle> cap_loops(const std::vector<std::vector<int>>& loops,
                                std::vector<Vec2>& place) {
  return Capping(place).run(loops);
}

}  // namespace pliant::track
