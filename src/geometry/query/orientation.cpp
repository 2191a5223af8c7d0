#include "geometry/query/orientation.h"

#include <cmath>
#include <initializer_list>
#include <utility>
#include <vector>

namespace pliant {
namespace {

// Numbers as sums of doubles that do not overlap, least first (Shewchuk 1997). Only reached where
// the quick answer is in doubt, so it may be slow.
using Sum = std::vector<double>;

// x + y = high + low, without error.
std::pair<double, double> two_sum(double x, double y) {
  const double high = x + y, y_share = high - x, x_share = high - y_share;
  return {high, (x - x_share) + (y - y_share)};
}

void add(Sum& sum, double term) {
  std::size_t kept = 0;
  for (const double part : sum) {
    const auto [high, low] = two_sum(term, part);
    if (low != 0) sum[kept++] = low;
    term = high;
  }
  sum.resize(kept);
  sum.push_back(term);
}

Sum difference(double x, double y) {
  Sum sum = {x};
  add(sum, -y);
  return sum;
}

Sum product(const Sum& a, const Sum& b) {
  Sum sum;
  for (const double x : a)
    for (const double y : b) {
      const double high = x * y;
      add(sum, high);
      add(sum, std::fma(x, y, -high));
    }
  return sum;
}

int exact(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const auto minor = [&](int u, int v) {  // (a-d) x (b-d), one component
    Sum sum = product(difference(a[u], d[u]), difference(b[v], d[v]));
    for (const double part : product(difference(a[v], d[v]), difference(b[u], d[u])))
      add(sum, -part);
    return sum;
  };
  Sum sum;
  for (int axis = 0; axis < 3; ++axis)
    for (const double part :
         product(minor((axis + 1) % 3, (axis + 2) % 3), difference(c[axis], d[axis])))
      add(sum, part);
  for (std::size_t i = sum.size(); i-- > 0;)  // the greatest part that is not zero decides
    if (sum[i] != 0) return sum[i] > 0 ? 1 : -1;
  return 0;
}

}  // namespace

int orientation(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const Vec3 p = a - d, q = b - d, r = c - d;
  const double xy = p.x() * q.y(), yx = p.y() * q.x(), yz = p.y() * q.z(), zy = p.z() * q.y(),
               zx = p.z() * q.x(), xz = p.x() * q.z();
  const double determinant = r.z() * (xy - yx) + r.x() * (yz - zy) + r.y() * (zx - xz);
  const double magnitude = std::abs(r.z()) * (std::abs(xy) + std::abs(yx)) +
                           std::abs(r.x()) * (std::abs(yz) + std::abs(zy)) +
                           std::abs(r.y()) * (std::abs(zx) + std::abs(xz));
  const double rounding = 8e-16 * magnitude;  // Shewchuk's bound is 7.77e-16
  if (determinant > rounding) return 1;
  if (determinant < -rounding) return -1;
  return exact(a, b, c, d);
}

}  // namespace pliant
