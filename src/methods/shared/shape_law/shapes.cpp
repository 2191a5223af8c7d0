#include "methods/shared/shape_law/shapes.h"

#include <algorithm>
#include <cmath>

#include "core/assert.h"
#include "math/principal_axes.h"
#include "math/shortest_turn.h"

// Mueller, Macklin et al. 2022 (physically based shape matching), section 3. The inverse of Q is
// made from its eigenvalues in units of its trace: the printed unit, the sum of all entries of Q,
// is zero for groups in a plane x + y + z = const.

namespace pliant::shape_law {
namespace {

/// Share of the largest eigenvalue below which a direction is lost: a hundredth in length. Thinner
/// groups would magnify noise a hundred times.
constexpr double lost = 1e-4;

/// The law of a sheet whose faces are free: Lame's second parameter is E nu / (1 - nu^2) there, and
/// ours has mu added (see NeoHookean).
NeoHookean plane_stress(double young, double poisson) {
  NeoHookean law;
  law.mu = young / (2 * (1 + poisson));
  law.lambda_inverse = 1 / (law.mu + young * poisson / (1 - poisson * poisson));
  law.gamma = 1 + law.mu * law.lambda_inverse;
  return law;
}

NeoHookean law_of(const Material& material, Extent extent, Law chosen, Lame lame) {
  const double young = *material.young, poisson = *material.poisson;
  if (chosen == Law::shape_matching) return NeoHookean::from(young, 0);
  const NeoHookean law = constrained_law(young, poisson, chosen == Law::hookean, lame);
  return extent == Extent::thin ? plane_stress(young, poisson) : law;
}

/// The two members farthest apart along the last axis.
void find_ends(std::span<const Vec3> arms, Shape& shape) {
  const Vec3 axis = shape.axes.col(2);
  for (int k = 0; k < int(arms.size()); ++k) {
    if (arms[k].dot(axis) < arms[shape.ends[0]].dot(axis)) shape.ends[0] = k;
    if (arms[k].dot(axis) > arms[shape.ends[1]].dot(axis)) shape.ends[1] = k;
  }
}

/// Principal axes of a symmetric matrix, rising. Where the axes of the world are as good as any
/// those are taken: equal boxes then have equal axes.
void find_axes(const Mat3& Q, Shape& shape) {
  constexpr double rounding = 1e-10;
  const double off = std::abs(Q(1, 0)) + std::abs(Q(2, 0)) + std::abs(Q(2, 1));
  if (off < rounding) {
    int order[3] = {0, 1, 2};
    for (const auto& [a, b] : {std::pair(0, 1), std::pair(1, 2), std::pair(0, 1)})
      if (Q(order[b], order[b]) < Q(order[a], order[a]) - rounding) std::swap(order[a], order[b]);
    for (int k = 0; k < 3; ++k) {
      shape.axes.col(k) = Vec3::Unit(order[k]);
      shape.spread[k] = std::max(Q(order[k], order[k]), 0.0);
    }
  } else {
    const PrincipalAxes principal = principal_axes(Q);
    shape.axes = principal.directions;
    shape.spread = principal.values.cwiseMax(0);
  }
  if (shape.axes.determinant() < 0) shape.axes.col(0) *= -1;
}

Shape measured(std::span<const Vec3> arms, std::span<const double> weights) {
  Shape shape;
  Mat3 Q = Mat3::Zero();
  for (std::size_t k = 0; k < arms.size(); ++k) {
    shape.mass += weights[k];
    Q += weights[k] * arms[k] * arms[k].transpose();
  }
  const double scale = Q.trace();
  shape.length = std::sqrt(scale / shape.mass);
  if (!(shape.length > 0)) return shape;
  find_axes(Q / scale, shape);
  shape.spread *= scale;
  const Vec3& q = shape.spread;
  const int first = q[0] > lost * q[2] ? 0 : q[1] > lost * q[2] ? 1 : 2;
  shape.extent = Extent(first);
  for (int axis = first; axis < 3; ++axis)
    shape.inverse += shape.axes.col(axis) * shape.axes.col(axis).transpose() / q[axis];
  if (shape.extent == Extent::line) find_ends(arms, shape);
  return shape;
}

Mat3 line_deformation(const Shape& shape, const Mat3& fitted) {
  const Vec3 axis = shape.axes.col(2), now = fitted * axis;
  const double stretch = now.norm();
  if (!(stretch > 0)) return Mat3::Identity() - axis * axis.transpose();
  const Mat3 turn = shortest_turn(axis, now).toRotationMatrix();
  return turn * (Mat3::Identity() + (stretch - 1) * axis * axis.transpose());
}

}  // namespace

int Shapes::largest() const {
  int most = 0;
  for (int g = 0; g < size(); ++g) most = std::max(most, start[g + 1] - start[g]);
  return most;
}

const Shape& add_shape(const NewShape& group, const Material& material, Law law, Lame lame,
                       Shapes& shapes) {
  ASSERT(material.is_complete(), "materials are completed before a body is made");
  const std::size_t count = group.members.size();
  ASSERT(group.arms.size() == count && group.weight.size() == count && group.mass.size() == count,
         "one entry per member");
  Shape shape = measured(group.arms, group.weight);
  shape.volume = group.volume;
  shape.hold = group.hold;
  shape.liveliest = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const Vec3 slope = group.weight[k] * (shape.inverse * group.arms[k]);
    shape.answer += slope * slope.transpose() / group.mass[k];
    shape.liveliest = std::max(shape.liveliest, group.weight[k] / group.mass[k]);
    shapes.slope.push_back(slope);
  }
  shapes.member.insert(shapes.member.end(), group.members.begin(), group.members.end());
  shapes.start.push_back(int(shapes.member.size()));
  shapes.weight.insert(shapes.weight.end(), group.weight.begin(), group.weight.end());
  shapes.arm.insert(shapes.arm.end(), group.arms.begin(), group.arms.end());
  shapes.law.push_back(law_of(material, shape.extent, law, lame));
  if (law == Law::hookean)
    shapes.hookean.push_back(Hookean::from(*material.young, *material.poisson));
  shapes.young.push_back(*material.young);
  shapes.damping.push_back(*material.damping);
  shapes.shape.push_back(shape);
  return shapes.shape.back();
}

void set_arms(Shapes& shapes, int g, std::span<const Vec3> arms, std::span<const double> mass) {
  const std::size_t first = shapes.start[g];
  ASSERT(arms.size() == shapes.members(g).size() && mass.size() == arms.size(),
         "one entry per member");
  Shape& shape = shapes.shape[g];
  Shape now = measured(arms, {&shapes.weight[first], arms.size()});
  now.volume = shape.volume;
  now.hold = shape.hold;
  now.liveliest = shape.liveliest;
  for (std::size_t k = 0; k < arms.size(); ++k) {
    const Vec3 slope = shapes.weight[first + k] * (now.inverse * arms[k]);
    now.answer += slope * slope.transpose() / mass[k];
    shapes.arm[first + k] = arms[k];
    shapes.slope[first + k] = slope;
  }
  shape = now;
}

Vec3 centre(const Shapes& shapes, int g, Places x) {
  // Seen from the first member: bodies far from the origin keep their digits.
  Vec3 sum = Vec3::Zero();
  const double* weight = &shapes.weight[shapes.start[g]];
  for (std::size_t k = 1; k < x.size(); ++k) sum += weight[k] * (x[k] - x[0]);
  return x[0] + sum / shapes.shape[g].mass;
}

Mat3 deformation(const Shapes& shapes, int g, Places x) {
  const Vec3* slope = &shapes.slope[shapes.start[g]];
  Mat3 F = Mat3::Zero();
  for (std::size_t k = 1; k < x.size(); ++k) F += (x[k] - x[0]) * slope[k].transpose();
  const Shape& shape = shapes.shape[g];
  if (shape.extent == Extent::full) return F;
  if (shape.extent == Extent::line) return line_deformation(shape, F);
  const Vec3 out = shape.axes.col(0);
  Vec3 normal = (F * shape.axes.col(1)).cross(F * shape.axes.col(2));
  const double area = normal.norm();
  // A sheet squashed into a line has no normal; any will do until it has one again.
  if (area < 1e-9) normal = out;
  else normal /= area;
  return F + normal * out.transpose();
}

Mat3 deformation(const Shapes& shapes, int g, const std::vector<Vec3>& position) {
  const std::span<const int> members = shapes.members(g);
  Vec3 few[32];
  std::vector<Vec3> many;
  Vec3* x = few;
  if (members.size() > 32) {
    many.resize(members.size());
    x = many.data();
  }
  for (std::size_t k = 0; k < members.size(); ++k) x[k] = position[members[k]];
  return deformation(shapes, g, Places(x, members.size()));
}

}  // namespace pliant::shape_law
