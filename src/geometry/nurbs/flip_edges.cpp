#include "geometry/nurbs/flip_edges.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace pliant {
namespace {

// Angles are not those of one plane, so flips could go round in circles: so many for each triangle.
constexpr int most_flips = 8;
// Sines of angles: what rounding leaves is no reason to flip.
constexpr double slack = 1e-6;
// Of the quadrilateral's area in (u, v): new triangles below this would be folded or empty.
constexpr double least_share = 1e-6;

class Flips {
 public:
  Flips(const std::vector<Vec2>& uv, const std::vector<Vec3>& x, const MayFlip& may_flip,
        std::vector<Triangle>& triangles)
      : uv_(uv), x_(x), may_flip_(may_flip), triangles_(triangles) {
    find_neighbours();
  }

  void run() {
    std::vector<int> todo;
    for (int t = int(triangles_.size()); t-- > 0;) todo.push_back(t);
    std::size_t left = std::size_t(most_flips) * triangles_.size();
    while (!todo.empty() && left > 0) {
      const int t = todo.back();
      todo.pop_back();
      for (int e = 0; e < 3; ++e) {
        const int other = neighbour_[t][e];
        if (other < 0 || !flip(t, e)) continue;
        --left;
        todo.push_back(other);
        todo.push_back(t);
        break;
      }
    }
  }

 private:
  /// neighbour_[t][e]: the triangle on the other side of the edge from corner e to the next one.
  void find_neighbours() {
    struct Side {
      int low, high, triangle, edge;
      bool operator<(const Side& s) const {
        return std::array{low, high, triangle} < std::array{s.low, s.high, s.triangle};
      }
    };
    std::vector<Side> sides;
    for (int t = 0; t < int(triangles_.size()); ++t)
      for (int e = 0; e < 3; ++e) {
        const auto [a, b] = std::minmax(triangles_[t][e], triangles_[t][(e + 1) % 3]);
        sides.push_back({a, b, t, e});
      }
    std::sort(sides.begin(), sides.end());
    neighbour_.assign(triangles_.size(), {-1, -1, -1});
    for (std::size_t i = 0, end = 0; i < sides.size(); i = end) {
      while (end < sides.size() && sides[end].low == sides[i].low &&
             sides[end].high == sides[i].high)
        ++end;
      if (end - i != 2) continue;
      neighbour_[sides[i].triangle][sides[i].edge] = sides[i + 1].triangle;
      neighbour_[sides[i + 1].triangle][sides[i + 1].edge] = sides[i].triangle;
    }
  }

  double area(int a, int b, int c) const {
    const Vec2 p = uv_[b] - uv_[a], q = uv_[c] - uv_[a];
    return p[0] * q[1] - p[1] * q[0];
  }

  /// Positive where the angles at c and d, opposite of the edge, sum to more than half a turn.
  bool is_thin(int a, int b, int c, int d) const {
    const Vec3 ca = x_[a] - x_[c], cb = x_[b] - x_[c], da = x_[a] - x_[d], db = x_[b] - x_[d];
    const double sine_c = ca.cross(cb).norm(), sine_d = da.cross(db).norm();
    const double size = ca.norm() * cb.norm() * da.norm() * db.norm();
    return ca.dot(cb) * sine_d + da.dot(db) * sine_c < -slack * size;
  }

  bool flip(int t, int e) {
    const int other = neighbour_[t][e];
    const int a = triangles_[t][e], b = triangles_[t][(e + 1) % 3], c = triangles_[t][(e + 2) % 3];
    int f = 0;
    while (neighbour_[other][f] != t || triangles_[other][f] != b) {
      if (++f == 3) return false;  // it looks the other way, or they share two edges
    }
    if (triangles_[other][(f + 1) % 3] != a) return false;
    const int d = triangles_[other][(f + 2) % 3];
    if (c == d || !is_thin(a, b, c, d)) return false;
    const double first = area(a, b, c), second = area(b, a, d), whole = first + second;
    const double least = least_share * std::abs(whole);
    if (!(first * whole > 0) || !(second * whole > 0)) return false;
    const double sign = whole > 0 ? 1 : -1;
    if (sign * area(c, a, d) < least || sign * area(d, b, c) < least) return false;
    if (!may_flip_(a, b, c, d)) return false;
    const int beside_bc = neighbour_[t][(e + 1) % 3], beside_ca = neighbour_[t][(e + 2) % 3];
    const int beside_ad = neighbour_[other][(f + 1) % 3],
              beside_db = neighbour_[other][(f + 2) % 3];
    triangles_[t] = {c, a, d};
    neighbour_[t] = {beside_ca, beside_ad, other};
    triangles_[other] = {d, b, c};
    neighbour_[other] = {beside_db, beside_bc, t};
    replace(beside_ad, other, t);
    replace(beside_bc, t, other);
    return true;
  }

  void replace(int triangle, int was, int is) {
    if (triangle < 0) return;
    for (int& n : neighbour_[triangle])
      if (n == was) {
        n = is;
        return;
      }
  }

  const std::vector<Vec2>& uv_;
  const std::vector<Vec3>& x_;
  const MayFlip& may_flip_;
  std::vector<Triangle>& triangles_;
  std::vector<std::array<int, 3>> neighbour_;
};

}  // namespace

void flip_edges(const std::vector<Vec2>& uv, const std::vector<Vec3>& x, const MayFlip& may_flip,
                std::vector<Triangle>& triangles) {
  Flips(uv, x, may_flip, triangles).run();
}

}  // namespace pliant
