#include "methods/rigid/rigid_method.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "core/assert.h"
#include "geometry/mesh/moments.h"
#include "math/polar.h"
#include "math/principal_axes.h"
#include "math/rigid_fit.h"
#include "math/shortest_turn.h"
#include "methods/rigid/top.h"

namespace pliant::rigid {
namespace {

/// Held points nearer to each other, or to a line, than this share of the body's size are taken as
/// one point, or as a line.
constexpr double same_place = 1e-3;

Quat turned_by(const Vec3& angle) {
  const double size = angle.norm();
  if (size == 0) return Quat::Identity();
  return Quat(Eigen::AngleAxisd(size, angle / size));
}

bool is_loaded(const Nodes& nodes) {
  return std::any_of(nodes.load.begin(), nodes.load.end(),
                     [](const Vec3& load) { return !load.isZero(0); });
}

Vec3 mean(const std::vector<Vec3>& points) {
  Vec3 sum = Vec3::Zero();
  for (const Vec3& p : points) sum += p;
  return sum / double(points.size());
}

}  // namespace

RigidMethod::RigidMethod(const Matter& matter, double size)
    : mass_(matter.mass),
      volume_(matter.volume),
      size_(size),
      radius_(matter.radius),
      rest_(equal_masses(matter.radius)) {}

/// The best fit of the four masses. Each axis counts by the root of its length, so that thin bodies
/// lose digits evenly.
Pose RigidMethod::pose_of(const std::vector<Vec3>& nodes) const {
  const Vec3 weight = (radius_ * radius_.maxCoeff()).cwiseSqrt();
  Pose pose;
  pose.position = 0.25 * (nodes[0] + nodes[1] + nodes[2] + nodes[3]);
  Mat3 fit = Mat3::Zero();
  for (int i = 0; i < 4; ++i) {
    const Vec3 share = rest_[i].cwiseQuotient(radius_.cwiseAbs2()).cwiseProduct(weight);
    fit += 0.25 * (nodes[i] - pose.position) * share.transpose();
  }
  pose.rotation = Quat(polar_rotation(fit)).normalized();
  return pose;
}

void RigidMethod::hold_skin(const Skin& skin, const std::vector<int>& vertices,
                            const std::vector<Vec3>& targets) {
  skin_at_.clear();
  for (const int v : vertices) {
    Vec3& p = skin_at_.emplace_back(Vec3::Zero());
    skin.weights.for_each(v, [&](int node, double weight) { p += weight * rest_[node]; });
  }
  skin_to_ = targets;
}

void RigidMethod::collect_held(const Nodes& nodes) {
  held_at_ = skin_at_;
  held_to_ = skin_to_;
  for (int i = 0; i < 4; ++i) {
    if (!nodes.held[i]) continue;
    held_at_.push_back(rest_[i]);
    held_to_.push_back(nodes.target[i]);
  }
}

void RigidMethod::find_freedom() {
  held_ = Held::nothing;
  arm_.setZero();
  gives_ = 1 / mass_;
  if (!held_at_.empty()) {
    gives_ = 0;
    arm_ = mean(held_at_);
    arm_to_ = mean(held_to_);
    Mat3 spread = Mat3::Zero();
    double furthest = 0, off_line = 0;
    for (const Vec3& p : held_at_) {
      spread += (p - arm_) * (p - arm_).transpose();
      furthest = std::max(furthest, (p - arm_).norm());
    }
    axis_ = principal_axes(spread).directions.col(2);
    axis_to_.setZero();
    for (std::size_t k = 0; k < held_at_.size(); ++k) {
      const Vec3 p = held_at_[k] - arm_;
      off_line = std::max(off_line, p.cross(axis_).norm());
      axis_to_ += p.dot(axis_) * (held_to_[k] - arm_to_);
    }
    const double near = same_place * size_;
    held_ = furthest < near ? Held::point : off_line < near ? Held::line : Held::all;
    if (held_ == Held::line) {
      if (axis_to_.norm() > 0) axis_to_.normalize();
      else held_ = Held::point;  // its targets are one: no way to tell where the line points
    }
  }
  const Vec3 squares = mass_ * radius_.cwiseAbs2();
  const Mat3 spread = Mat3(squares.asDiagonal()) + mass_ * arm_ * arm_.transpose();
  arm_inertia_ = inertia_of(spread);
}

Mat3 RigidMethod::inertia(const Pose& pose) const {
  const Mat3 R = pose.rotation.toRotationMatrix();
  return R * arm_inertia_ * R.transpose();
}

Mat3 RigidMethod::answer(const Pose& pose) const {
  if (held_ == Held::all) return Mat3::Zero();
  const Mat3 J = inertia(pose);
  if (held_ == Held::line) return axis_to_ * axis_to_.transpose() / axis_to_.dot(J * axis_to_);
  const Mat3 inverse = J.inverse();
  return 0.5 * (inverse + inverse.transpose());
}

/// Of all the motions that what holds the body allows, the one nearest (by mass) to what the nodes
/// would do under the forces.
void RigidMethod::project(const Nodes& nodes, double h) {
  const Pose pose = pose_of(nodes.position);
  state_.pose = {pose.rotation, pose.apply(arm_)};
  const double each = mass_ / 4;
  pushed_.setZero();
  momentum_.setZero();
  for (int i = 0; i < 4; ++i) {
    pushed_ += nodes.force[i];
    momentum_ += each * nodes.velocity[i];
  }
  state_.velocity = held_ == Held::nothing ? Vec3((momentum_ + h * pushed_) / mass_)
                                           : Vec3((arm_to_ - state_.pose.position) / h);
  state_.angular_momentum.setZero();
  for (int i = 0; i < 4; ++i) {
    const Vec3 driven = each * (nodes.velocity[i] - state_.velocity) + h * nodes.force[i];
    state_.angular_momentum += (nodes.position[i] - state_.pose.position).cross(driven);
  }
}

/// The same motion for `h` seconds.
void RigidMethod::drift(double h) {
  State& s = state_;
  const Quat before = s.pose.rotation;
  s.pose.position = held_ == Held::nothing ? Vec3(s.pose.position + h * s.velocity) : arm_to_;
  switch (held_) {
    case Held::nothing:  // the principal axes are the principal axes
      s.pose.rotation = turn_freely(before, s.angular_momentum, arm_inertia_.diagonal(), h);
      break;
    case Held::point: {
      const PrincipalAxes principal = principal_axes(arm_inertia_);
      Mat3 axes = principal.directions;
      if (axes.determinant() < 0) axes.col(0) *= -1;
      const Quat own(axes);
      s.pose.rotation =
          turn_freely(before * own, s.angular_momentum, principal.values, h) * own.conjugate();
      break;
    }
    case Held::line: {
      const Vec3 axis = before * axis_;
      const double rate = axis.dot(s.angular_momentum) / axis.dot(inertia(s.pose) * axis);
      const Quat swing = shortest_turn(axis, axis_to_);
      s.pose.rotation = turned_by(h * rate * axis_to_) * swing * before;
      const Eigen::AngleAxisd swung(swing);
      s.angular_velocity = rate * axis_to_ + swung.angle() / h * swung.axis();
      break;
    }
    case Held::all: {
      one_each_.assign(held_at_.size(), 1.0);
      const Pose pose = best_rigid_fit(held_at_, held_to_, one_each_);
      s.pose = {pose.rotation, pose.apply(arm_)};
      break;
    }
  }
  s.pose.rotation.normalize();
}

void RigidMethod::place(const Pose& pose, std::span<Vec3> nodes) const {
  const Mat3 R = pose.rotation.toRotationMatrix();
  for (int i = 0; i < 4; ++i) nodes[i] = pose.position + R * (rest_[i] - arm_);
}

void RigidMethod::advance(Nodes& nodes, const Substep& substep) {
  ASSERT(nodes.size() == 4, "a rigid body has four nodes");
  ASSERT(substep.h > 0, "a substep takes time");
  nodes.previous = nodes.position;
  collect_held(nodes);
  find_freedom();
  project(nodes, substep.h);
  drift(substep.h);
  place(state_.pose, nodes.position);
  answer_ = answer(state_.pose);
  for (int i = 0; i < 4; ++i)
    nodes.mobility[i] = held_ == Held::all || nodes.held[i] ? 0 : 1 / nodes.mass[i];
}

/// Torque of loads about the arm.
Vec3 RigidMethod::turning(std::span<const Vec3> at, std::span<const Vec3> load) const {
  Vec3 sum = Vec3::Zero();
  for (int i = 0; i < 4; ++i) sum += (at[i] - state_.pose.position).cross(load[i]);
  return sum;
}

// The projection of load/mass onto what the body is free to do. Projections make nothing longer, so
// 1/mass of the nodes is a bound. It is linear: the nodes leave their shape by the square of the
// turn, until finish().
void RigidMethod::respond(Nodes& nodes) const {
  const Vec3 move = gives_ * (nodes.load[0] + nodes.load[1] + nodes.load[2] + nodes.load[3]);
  const Vec3 turn = answer_ * turning(nodes.free, nodes.load);
  for (int i = 0; i < 4; ++i)
    nodes.position[i] = nodes.free[i] + (move + turn.cross(nodes.free[i] - state_.pose.position));
}

RigidMethod::Outcome RigidMethod::outcome(const Nodes& nodes, double h) const {
  Outcome out;
  State s = state_;
  place(s.pose, out.position);  // where advance had brought it
  const Vec3 load = nodes.load[0] + nodes.load[1] + nodes.load[2] + nodes.load[3];
  const Vec3 torque = turning(out.position, nodes.load);
  const Vec3 turn = answer_ * torque;
  s.pose.position += gives_ * load;
  s.pose.rotation = (turned_by(turn) * s.pose.rotation).normalized();
  s.velocity += gives_ / h * load;
  s.angular_momentum += torque / h;
  // All of the substep's push, then the way: half of what gravity moves it by too far. Contact
  // needs it so, or what rests would keep half of a substep's fall as speed. What nothing touched
  // flies its parabola, or its energy would sink by m g^2 h^2 / 2 in each substep.
  if (held_ == Held::nothing && !is_loaded(nodes)) s.pose.position -= 0.5 * h * h / mass_ * pushed_;
  place(s.pose, out.position);
  if (held_ == Held::all) {
    for (int i = 0; i < 4; ++i) out.velocity[i] = (out.position[i] - nodes.previous[i]) / h;
  } else {
    if (held_ == Held::line) s.angular_velocity += turn / h;
    else s.angular_velocity = answer(s.pose) * s.angular_momentum;
    for (int i = 0; i < 4; ++i)
      out.velocity[i] = s.velocity + s.angular_velocity.cross(out.position[i] - s.pose.position);
  }
  out.load = load;
  return out;
}

void RigidMethod::velocities_after(const Nodes& nodes, const Substep& substep,
                                   std::vector<Vec3>& velocities) const {
  const Outcome out = outcome(nodes, substep.h);
  velocities.assign(out.velocity.begin(), out.velocity.end());
}

void RigidMethod::finish(Nodes& nodes, const Substep& substep) {
  const double h = substep.h;
  const Outcome out = outcome(nodes, h);
  std::copy(out.position.begin(), out.position.end(), nodes.position.begin());
  std::copy(out.velocity.begin(), out.velocity.end(), nodes.velocity.begin());
  Vec3 after = Vec3::Zero();
  for (const Vec3& v : nodes.velocity) after += mass_ / 4 * v;
  reaction_ = held_ == Held::nothing ? Vec3(Vec3::Zero())
                                     : Vec3((after - momentum_ - out.load / h) / h - pushed_);
}

Measures RigidMethod::measure(const Nodes&) const {
  Measures measures;
  measures.volume = measures.rest_volume = volume_;
  measures.reaction = reaction_;
  return measures;
}

StepAdvice RigidMethod::advise(const Nodes& nodes, double dt) const {
  // Contact is linear in the turn of a substep: a twentieth of a radian leaves an error of a
  // thousandth of the size.
  double fastest = 0;
  Vec3 drift = Vec3::Zero();
  for (const Vec3& v : nodes.velocity) drift += 0.25 * v;
  for (int i = 0; i < 4; ++i)
    fastest = std::max(fastest, (nodes.velocity[i] - drift).norm() / rest_[i].norm());
  StepAdvice advice;
  advice.substeps = std::max(1, int(std::ceil(fastest * dt / 0.05)));
  advice.reason = "spin";
  advice.least = 8;
  return advice;
}

}  // namespace pliant::rigid
