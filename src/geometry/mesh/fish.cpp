#include "geometry/mesh/fish.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <numbers>

#include "core/assert.h"
#include "core/errors.h"

// The fish is drawn at length 1, nose at x = 0. A ring is the outline of the fish at one x, given
// by its radius in every direction around the spine. Fins are thin ellipses in it, body and fins
// flow into each other, and all of it is swept backwards in the end, farther out more.

namespace pliant {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double body_end = 0.80;  // [lengths] where the tail fin begins

struct Knot {
  double x, y;
};

// Smooth through the knots, without overshooting them; constant outside (Fritsch and Carlson 1980).
double curve(std::initializer_list<Knot> list, double x) {
  const Knot* k = list.begin();
  const int n = int(list.size());
  if (x <= k[0].x) return k[0].y;
  if (x >= k[n - 1].x) return k[n - 1].y;
  const auto slope = [&](int i) { return (k[i + 1].y - k[i].y) / (k[i + 1].x - k[i].x); };
  const auto tangent = [&](int i) {
    if (i == 0 || i == n - 1) return 0.0;
    const double a = slope(i - 1), b = slope(i);
    return a * b <= 0 ? 0.0 : 2 * a * b / (a + b);
  };
  int i = 0;
  while (x > k[i + 1].x) ++i;
  const double h = k[i + 1].x - k[i].x, t = (x - k[i].x) / h;
  return k[i].y * (1 + 2 * t) * (1 - t) * (1 - t) + h * tangent(i) * t * (1 - t) * (1 - t) +
         k[i + 1].y * t * t * (3 - 2 * t) + h * tangent(i + 1) * t * t * (t - 1);
}

double bump(double distance, double width) {
  return std::exp(-distance * distance / (width * width));
}

// Radius of an ellipse about the spine in direction `angle` from its long axis.
double ellipse(double reach, double half_width, double angle) {
  return 1 / std::hypot(std::cos(angle) / reach, std::sin(angle) / half_width);
}

// Half outlines of the body along the spine; the round nose is the square root's.
double nose(double x) { return x < 0.22 ? std::sqrt(x / 0.22 * (2 - x / 0.22)) : 1; }
double back(double x) {
  return nose(x) *
         curve({{0, 0.085}, {0.14, 0.125}, {0.34, 0.158}, {0.6, 0.1}, {0.79, 0.038}, {1, 0.03}}, x);
}
double belly(double x) {
  return nose(x) *
         curve({{0, 0.07}, {0.14, 0.115}, {0.36, 0.15}, {0.6, 0.09}, {0.79, 0.038}, {1, 0.03}}, x);
}
double width(double x) {
  return nose(x) *
         curve({{0, 0.05}, {0.12, 0.082}, {0.3, 0.1}, {0.55, 0.064}, {0.78, 0.02}, {1, 0.002}}, x);
}

constexpr double side_fin = -0.62;  // [rad] direction of the right side fin, below the horizontal

// From the right (0) over the back (pi/2).
double radius(double x, double angle) {
  const bool upper = std::sin(angle) > 0;
  const double round = ellipse(upper ? back(x) : belly(x), width(x), angle - 0.5 * pi);
  // Rays: the rims of fins are scalloped a little.
  const double rays = 1 + 0.025 * std::cos(2 * pi * x / 0.042);
  const double thickness = curve({{0, 0.011}, {0.7, 0.010}, {0.85, 0.009}, {1, 0.005}}, x);
  const double tail = curve({{0.78, 0.0}, {0.84, 0.06}, {0.93, 0.125}, {1, 0.15}}, x);
  const double top = std::max(tail, rays * curve({{0.26, 0.0},
                                                  {0.31, 0.17},
                                                  {0.36, 0.232},
                                                  {0.46, 0.215},
                                                  {0.58, 0.155},
                                                  {0.68, 0.11},
                                                  {0.72, 0.0}},
                                                 x));
  const double bottom = std::max(
      tail, rays * curve({{0.54, 0.0}, {0.57, 0.13}, {0.61, 0.16}, {0.68, 0.115}, {0.73, 0.0}}, x));
  const double side =
      rays * curve({{0.28, 0.0}, {0.30, 0.14}, {0.33, 0.205}, {0.38, 0.215}, {0.43, 0.0}}, x);
  double r = round;
  // A high power norm: the largest wins, with a fillet where two are equal.
  const auto join = [&](double reach, double half_width, double direction) {
    if (reach <= half_width) return;
    const double off = std::remainder(angle - direction, 2 * pi);
    if (std::abs(off) >= 0.5 * pi) return;
    const double fin = ellipse(reach, half_width, off);
    const double larger = std::max(r, fin), share = std::min(r, fin) / larger;
    r = larger * std::pow(1 + std::pow(share, 10), 0.1);
  };
  join(top, thickness, 0.5 * pi);
  join(bottom, thickness, -0.5 * pi);
  join(side, 1.3 * thickness, side_fin);
  join(side, 1.3 * thickness, pi - side_fin);
  // Eyes, gills and a mouth.
  const double y = r * std::sin(angle), face = std::abs(std::cos(angle));
  r *= 1 + face * (0.32 * bump(std::hypot(x - 0.105, y - 0.040), 0.017) -
                   0.07 * bump(x - 0.245 + 1.6 * y * y, 0.012) * bump(y, 0.09) -
                   0.22 * bump(y + 0.020 + 0.2 * x, 0.009) * bump(x, 0.06));
  return r;
}

// Everything far from the spine is drawn backwards; the tail is forked besides. Each of these moves
// points along x only and keeps their order, so nothing can be turned over.
Vec3 swept(const Vec3& p) {
  const auto beyond = [](double distance, double start) {
    const double more = std::max(0.0, distance - start);
    return more * more / (more + 0.03);
  };
  const double fork = std::clamp((p.x() - body_end) / (1 - body_end), 0.0, 1.0);
  const double back_by = 0.9 * beyond(std::abs(p.y()), 0.11) + 1.1 * beyond(std::abs(p.z()), 0.08) +
                         0.45 * fork * fork * beyond(std::abs(p.y()), 0.02);
  return p + Vec3(back_by, 0, 0);
}

/// The right half of a ring, from below to above: points spread evenly along the outline between
/// three directions that every ring keeps, so that the rims of fins run along edges.
class HalfRing {
 public:
  HalfRing(double x, int below, int above) {
    add_section(x, -0.5 * pi, side_fin, below);
    add_section(x, side_fin, 0.5 * pi, above);
    const double angle = 0.5 * pi, r = radius(x, angle);
    points_.emplace_back(x, r, 0);
  }
  const std::vector<Vec3>& points() const { return points_; }  // below + above + 1

 private:
  void add_section(double x, double from, double to, int count) {
    constexpr int fine = 3000;
    std::vector<double> length(fine + 1, 0);
    std::vector<Eigen::Vector2d> outline;
    for (int i = 0; i <= fine; ++i) {
      // Closer towards the ends, where the rims of fins are.
      const double share = 0.5 - 0.5 * std::cos(pi * i / fine);
      const double angle = from + (to - from) * share, r = radius(x, angle);
      outline.emplace_back(r * std::cos(angle), r * std::sin(angle));
      if (i > 0) length[i] = length[i - 1] + (outline[i] - outline[i - 1]).norm();
    }
    for (int k = 0, i = 0; k < count; ++k) {
      const double wanted = length[fine] * k / count;
      while (i < fine && length[i + 1] <= wanted) ++i;
      const double share = k == 0 ? 0 : (wanted - length[i]) / (length[i + 1] - length[i]);
      const Eigen::Vector2d p = outline[i] + share * (outline[i + 1] - outline[i]);
      points_.emplace_back(x, p.y(), p.x());
    }
  }

  std::vector<Vec3> points_;
};

}  // namespace

TriangleMesh fish_mesh(double length, double edge) {
  ASSERT(length > 0 && edge > 0, "the size and the edge of a shape must be positive");
  if (length > 2000 * edge)
    throw InputError("", "", "would have more than 20 million triangles", "take a longer edge");
  const int rings = std::max(24, int(std::lround(1.17 * length / edge)));
  const int below = std::max(6, int(std::lround(0.2 * length / edge)));
  const int above = std::max(10, int(std::lround(0.3 * length / edge)));
  const int half = below + above;  // steps from below to above

  TriangleMesh mesh;
  mesh.points.emplace_back(0, 0, 0);  // the nose
  // Rings of 2 half points: up on the right, down on the left. The last one is the rim of the tail,
  // where right and left are one.
  std::vector<std::vector<int>> ring;
  for (int i = 1; i <= rings; ++i) {
    const double share = double(i) / rings;
    const double x = share - 0.55 * share * (1 - share) * (1 - share);  // closer at the nose
    const std::vector<Vec3> right = HalfRing(x, below, above).points();
    std::vector<int>& now = ring.emplace_back(std::size_t(2 * half));
    const bool is_rim = i == rings;
    for (int j = 0; j <= half; ++j) {
      now[j] = int(mesh.points.size());
      Vec3 p = right[j];
      if (is_rim || j == 0 || j == half) p.z() = 0;
      mesh.points.push_back(p);
    }
    for (int j = 1; j < half; ++j) {
      now[2 * half - j] = is_rim ? now[j] : int(mesh.points.size());
      if (is_rim) continue;
      const Vec3 p = right[j];
      mesh.points.emplace_back(p.x(), p.y(), -p.z());
    }
  }
  const int around = 2 * half;
  for (int j = 0; j < around; ++j)
    mesh.triangles.push_back({0, ring[0][j], ring[0][(j + 1) % around]});
  for (int i = 0; i + 1 < rings; ++i) {
    for (int j = 0; j < around; ++j) {
      const int a = ring[i][j], b = ring[i][(j + 1) % around];
      const int c = ring[i + 1][(j + 1) % around], d = ring[i + 1][j];
      // The shorter diagonal, mirrored on the left. At the tips of the tail right and left would
      // have the same one; there it keeps away from the tips.
      const double ac = (mesh.points[a] - mesh.points[c]).squaredNorm();
      const double bd = (mesh.points[b] - mesh.points[d]).squaredNorm();
      bool along_ac = ac < bd || (ac == bd && j < half);
      if (i + 2 == rings && (j == 0 || j == half)) along_ac = false;
      if (i + 2 == rings && (j == half - 1 || j == around - 1)) along_ac = true;
      if (along_ac) {
        mesh.triangles.push_back({a, c, b});
        mesh.triangles.push_back({a, d, c});
      } else {
        mesh.triangles.push_back({a, d, b});
        mesh.triangles.push_back({b, d, c});
      }
    }
  }
  double end = 0;
  for (Vec3& p : mesh.points) {
    p = swept(p);
    end = std::max(end, p.x());
  }
  for (Vec3& p : mesh.points) p = length / end * (p - Vec3(0.5 * end, 0, 0));
  return mesh;
}

}  // namespace pliant
