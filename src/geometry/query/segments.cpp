#include "geometry/query/segments.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace pliant {
namespace {

/// c0 + c1 t + c2 t^2 + c3 t^3
struct Cubic {
  std::array<double, 4> c{};
  double operator()(double t) const { return c[0] + t * (c[1] + t * (c[2] + t * c[3])); }
};

/// (u x v) . w of three vectors that change linearly in time.
Cubic volume_over_time(const Vec3& u0, const Vec3& du, const Vec3& v0, const Vec3& dv,
                       const Vec3& w0, const Vec3& dw) {
  const Vec3 a = u0.cross(v0), b = u0.cross(dv) + du.cross(v0), c = du.cross(dv);
  return {{a.dot(w0), a.dot(dw) + b.dot(w0), b.dot(dw) + c.dot(w0), c.dot(dw)}};
}

/// Where the derivative vanishes inside (0, 1), rising; returns how many.
int turning_points(const Cubic& f, double found[2]) {
  const double a = 3 * f.c[3], b = 2 * f.c[2], c = f.c[1];
  int count = 0;
  const auto add = [&](double t) {
    if (t > 0 && t < 1) found[count++] = t;
  };
  const double discriminant = b * b - 4 * a * c;
  if (discriminant < 0) return 0;
  // The form that does not cancel.
  const double q = -0.5 * (b + std::copysign(std::sqrt(discriminant), b));
  double t0 = a != 0 ? q / a : -1, t1 = q != 0 ? c / q : -1;
  if (t0 > t1) std::swap(t0, t1);
  add(t0);
  if (t1 != t0) add(t1);
  return count;
}

/// The root in [low, high], where f changes its sign.
double bisect(const Cubic& f, double low, double high) {
  const bool rising = f(low) < 0;
  for (int i = 0; i < 60 && high - low > 1e-15; ++i) {
    const double middle = 0.5 * (low + high);
    ((f(middle) < 0) == rising ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

Vec3 at(const Vec3 (&way)[2], double t) { return (1 - t) * way[0] + t * way[1]; }

/// Calls `accept(t)` for the times in (0, 1] at which f passes through zero, in their order, until
/// it says true. Starting at zero is no passage; ending there is one.
template <class Accept>
void for_each_passage(const Cubic& f, const Accept& accept) {
  double stops[4] = {0, 0, 0, 1};
  double turns[2];
  const int count = turning_points(f, turns);
  for (int k = 0; k < count; ++k) stops[k + 1] = turns[k];
  stops[count + 1] = 1;
  for (int k = 0; k <= count; ++k) {
    const double low = f(stops[k]), high = f(stops[k + 1]);
    if (low == 0 || low * high > 0) continue;
    if (accept(high == 0 ? stops[k + 1] : bisect(f, stops[k], stops[k + 1]))) return;
  }
}

}  // namespace

SegmentPair closest_between_segments(const Vec3& p0, const Vec3& p1, const Vec3& q0,
                                     const Vec3& q1) {
  const Vec3 u = p1 - p0, v = q1 - q0, r = p0 - q0;
  const double a = u.squaredNorm(), e = v.squaredNorm(), f = v.dot(r), c = u.dot(r), b = u.dot(v);
  SegmentPair pair;
  if (a > 0 && e > 0) {
    const double parallel = a * e - b * b;
    pair.s = parallel > 1e-14 * a * e ? std::clamp((b * f - c * e) / parallel, 0.0, 1.0) : 0.0;
    pair.t = (b * pair.s + f) / e;
    if (pair.t < 0) {
      pair.t = 0;
      pair.s = std::clamp(-c / a, 0.0, 1.0);
    } else if (pair.t > 1) {
      pair.t = 1;
      pair.s = std::clamp((b - c) / a, 0.0, 1.0);
    }
  } else if (a > 0) {
    pair.s = std::clamp(-c / a, 0.0, 1.0);
  } else if (e > 0) {
    pair.t = std::clamp(f / e, 0.0, 1.0);
  }
  pair.distance = (r + pair.s * u - pair.t * v).norm();
  return pair;
}

std::optional<Passage> first_passage(const MovingTriangle& moving) {
  const auto& a = moving.corner[0];
  const auto& b = moving.corner[1];
  const auto& c = moving.corner[2];
  const auto& p = moving.point;
  const Vec3 u0 = b[0] - a[0], v0 = c[0] - a[0], w0 = p[0] - a[0];
  const Vec3 du = b[1] - a[1] - u0, dv = c[1] - a[1] - v0, dw = p[1] - a[1] - w0;
  std::optional<Passage> found;
  for_each_passage(volume_over_time(u0, du, v0, dv, w0, dw), [&](double t) {
    const Vec3 x = at(p, t), A = at(a, t) - x, B = at(b, t) - x, C = at(c, t) - x;
    const Vec3 normal = (B - A).cross(C - A);
    Vec3 share(B.cross(C).dot(normal), C.cross(A).dot(normal), A.cross(B).dot(normal));
    const double sum = normal.squaredNorm();
    if (!(sum > 0)) return false;
    share /= sum;
    if (share.minCoeff() < -1e-9) return false;
    found = {t, share};
    return true;
  });
  return found;
}

std::optional<Crossing> first_crossing(const MovingEdges& moving) {
  const auto& p = moving.p;
  const auto& q = moving.q;
  const Vec3 u0 = p[1][0] - p[0][0], v0 = q[1][0] - q[0][0], w0 = q[0][0] - p[0][0];
  const Vec3 du = p[1][1] - p[0][1] - u0, dv = q[1][1] - q[0][1] - v0, dw = q[0][1] - p[0][1] - w0;
  std::optional<Crossing> found;
  for_each_passage(volume_over_time(u0, du, v0, dv, w0, dw), [&](double t) {
    const Vec3 p0 = at(p[0], t), p1 = at(p[1], t), q0 = at(q[0], t), q1 = at(q[1], t);
    const SegmentPair closest = closest_between_segments(p0, p1, q0, q1);
    // In one plane they are; do they also meet?
    const double size = (p1 - p0).norm() + (q1 - q0).norm();
    if (closest.distance > 1e-7 * size) return false;
    found = {t, closest.s, closest.t};
    return true;
  });
  return found;
}

double cross_triangle(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& from,
                      const Vec3& step, bool front_only) {
  const Vec3 ab = b - a, ac = c - a;
  const Vec3 area = ab.cross(ac);
  const double before = area.dot(from - a);
  const double after = area.dot(from + step - a);
  const bool inwards = before >= 0 && after < 0;
  const bool outwards = !front_only && before <= 0 && after > 0;
  if (!inwards && !outwards) return 2;
  const double at = before / (before - after);
  const Vec3 x = from + at * step - a;
  const double scale = area.squaredNorm(), hair = 1e-9 * scale;
  const double beta = area.dot(x.cross(ac)), gamma = area.dot(ab.cross(x));
  if (beta < -hair || gamma < -hair || beta + gamma > scale + hair) return 2;
  return at;
}

}  // namespace pliant
