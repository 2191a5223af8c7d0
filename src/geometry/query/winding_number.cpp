#include "geometry/query/winding_number.h"

#include <algorithm>
#include <cmath>
#include <numbers>

// Fast winding numbers: Barill et al. 2018, sections 3-4, expanded up to the third term. With f(x)
// = x / |x|^3 the solid angle of small area vectors A at places r + d is A . f(r + d); its Taylor
// series in d has the moments of A as factors.

namespace pliant {
namespace {

constexpr double full_angle = 4 * std::numbers::pi;

// A group is far when it is seen from more than this many of its radii away. Measured: error below
// 0.001 on simple surfaces, closed or open. The worst found is 0.007, in the middle of a ball with
// a thin wall, whose groups hold triangles of both sides that nearly cancel; 2.7 radii would give
// 0.013 there.
constexpr double far_in_radii = 3.3;

// Solid angle of a triangle, positive from behind (van Oosterom and Strackee 1983).
double solid_angle(const Vec3& a, const Vec3& b, const Vec3& c) {
  const double la = a.norm(), lb = b.norm(), lc = c.norm();
  const double above = a.dot(b.cross(c));
  const double below = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
  return 2 * std::atan2(above, below);
}

// Far::cubic in this order: xxx yyy zzz xxy xxz yyx yyz zzx zzy xyz. Found from the number of x, y
// and z.
int cube_index(int i, int j, int k) {
  if (i == j && j == k) return i;
  if (i != j && j != k && k != i) return 9;
  const int twice = i == j || i == k ? i : j;
  const int once = i + j + k - 2 * twice;
  return 3 + 2 * twice + (once == 2 || (once == 1 && twice == 2) ? 1 : 0);
}

}  // namespace

double winding_number_brute_force(const TriangleMesh& mesh, const Vec3& p) {
  double sum = 0;
  for (const Triangle& t : mesh.triangles)
    sum += solid_angle(mesh.points[t[0]] - p, mesh.points[t[1]] - p, mesh.points[t[2]] - p);
  return sum / full_angle;
}

WindingNumber::Far WindingNumber::summarise(const Corners* begin, const Corners* end) {
  Far group;
  double total = 0;
  Vec3 weighted = Vec3::Zero();
  for (const Corners* t = begin; t < end; ++t) {
    const auto& [a, b, c] = *t;
    const Vec3 area = 0.5 * (b - a).cross(c - a);
    group.area += area;
    total += area.norm();
    weighted += area.norm() * (a + b + c) / 3;
  }
  if (total > 0) group.centre = weighted / total;
  else if (begin < end) group.centre = (*begin)[0];

  double radius2 = 0;
  for (const Corners* t = begin; t < end; ++t) {
    const auto& [a, b, c] = *t;
    const Vec3 area = 0.5 * (b - a).cross(c - a);
    const Vec3 d = (a + b + c) / 3 - group.centre;
    group.trace += d.dot(area);
    group.spread += d * area.transpose();
    // Mean of d d^T over the triangle: exact from the middles of its sides.
    Mat3 square = Mat3::Zero();
    for (const Vec3& side : {Vec3(0.5 * (a + b)), Vec3(0.5 * (b + c)), Vec3(0.5 * (c + a))})
      square += (side - group.centre) * (side - group.centre).transpose() / 3;
    // d2f_i/dx_j dx_k = -3 (I_ij x_k + I_ik x_j + I_jk x_i) / r^5 + 15 x_i x_j x_k / r^7
    group.bend += -1.5 * (2 * square * area + square.trace() * area);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        for (int k = 0; k < 3; ++k)
          group.cubic[cube_index(i, j, k)] += 7.5 * area[i] * square(j, k);
    for (const Vec3& corner : *t)
      radius2 = std::max(radius2, (corner - group.centre).squaredNorm());
  }
  group.near2 = far_in_radii * far_in_radii * radius2;
  return group;
}

WindingNumber::WindingNumber(const TriangleMesh& mesh) {
  const Bvh bvh(mesh);
  corners_.reserve(mesh.triangles.size());
  for (const int t : bvh.order()) {
    const Triangle& corner = mesh.triangles[t];
    corners_.push_back({mesh.points[corner[0]], mesh.points[corner[1]], mesh.points[corner[2]]});
  }
  // Every node of the tree owns a contiguous range of triangles; plain sums over it cost n log n in
  // all.
  far_.reserve(bvh.nodes().size() + corners_.size());
  for (const Bvh::Node& node : bvh.nodes()) {
    Far& group =
        far_.emplace_back(summarise(corners_.data() + node.begin, corners_.data() + node.end));
    group.part = node.left;
    group.parts = 2;
  }
  // Leaves open into single triangles: most of those are far enough not to need their arctangent.
  for (int n = 0; n < int(bvh.nodes().size()); ++n) {
    const Bvh::Node& leaf = bvh.nodes()[n];
    if (leaf.left >= 0) continue;
    far_[n].part = int(far_.size());
    far_[n].parts = leaf.end - leaf.begin;
    for (int i = leaf.begin; i < leaf.end; ++i) {
      Far& single = far_.emplace_back(summarise(corners_.data() + i, corners_.data() + i + 1));
      single.part = i;
    }
  }
}

double WindingNumber::Far::solid_angle(const Vec3& r, double r2) const {
  const double x = r.x(), y = r.y(), z = r.z();
  const std::array<double, 10>& q = cubic;
  const double cubic_in_r = x * (x * (q[0] * x + q[3] * y + q[4] * z) + q[9] * y * z) +
                            y * y * (q[5] * x + q[1] * y + q[6] * z) +
                            z * z * (q[7] * x + q[8] * y + q[2] * z);
  const double over2 = 1 / r2;
  const double first = area.dot(r);
  const double second = trace - 3 * over2 * r.dot(spread * r);
  const double third = over2 * (bend.dot(r) + over2 * cubic_in_r);
  return (first + second + third) * over2 * std::sqrt(over2);
}

double WindingNumber::at(const Vec3& p) const {
  if (corners_.empty()) return 0;
  double sum = 0;
  int stack[64];  // 31 levels at most, and a leaf's triangles
  int size = 0;
  stack[size++] = 0;
  while (size > 0) {
    const Far& group = far_[stack[--size]];
    const Vec3 r = group.centre - p;
    const double r2 = r.squaredNorm();
    if (r2 > group.near2) {
      sum += group.solid_angle(r, r2);
    } else if (group.parts > 0) {
      for (int i = group.parts - 1; i >= 0; --i) stack[size++] = group.part + i;
    } else {
      const auto& [a, b, c] = corners_[group.part];
      sum += solid_angle(a - p, b - p, c - p);
    }
  }
  return sum / full_angle;
}

}  // namespace pliant
