#pragma once

#include <array>
#include <span>
#include <vector>

#include "body/method.h"
#include "methods/rigid/matter.h"

namespace pliant::rigid {

/// Four nodes that move as one. Positions and velocities of the nodes are the whole state: where
/// the body is and how it moves is read from them at the start of each substep, and they are put
/// back exactly in shape at its end.
///
/// What is held decides what is left to move: points in one place make a ball joint, points on a
/// line a hinge; anything else leads the whole body.
class RigidMethod : public Method {
 public:
  /// `size` [m]: largest extent; held points nearer than a thousandth of it are one.
  RigidMethod(const Matter& matter, double size);

  void advance(Nodes&, const Substep&) override;
  void respond(Nodes&) const override;
  bool moves_by_mobility() const override { return false; }
  void finish(Nodes&, const Substep&) override;
  void velocities_after(const Nodes&, const Substep&, std::vector<Vec3>& velocities) const override;
  void archive(Archive&) override {}  // positions and velocities are all there is

  bool holds_skin() const override { return true; }
  void hold_skin(const Skin&, const std::vector<int>& vertices,
                 const std::vector<Vec3>& targets) override;

  Measures measure(const Nodes&) const override;
  StepAdvice advise(const Nodes&, double dt) const override;

 private:
  enum class Held { nothing, point, line, all };

  /// Some rigid motion about a point of the body, in this substep.
  struct State {
    Pose pose;                             // of the principal axes; position: of the arm
    Vec3 velocity = Vec3::Zero();          // [m/s] of the arm
    Vec3 angular_momentum = Vec3::Zero();  // [kg m^2/s] about the arm, relative to it
    Vec3 angular_velocity = Vec3::Zero();  // [rad/s]
  };

  /// What the loads of this substep make of its motion.
  struct Outcome {
    std::array<Vec3, 4> position, velocity;  // of the nodes
    Vec3 load;                               // [kg m] sum
  };
  Outcome outcome(const Nodes& nodes, double h) const;

  Pose pose_of(const std::vector<Vec3>& nodes) const;  // position: of the centre
  void collect_held(const Nodes& nodes);
  void find_freedom();
  void project(const Nodes& nodes, double h);
  void drift(double h);
  void place(const Pose& pose, std::span<Vec3> nodes) const;
  Mat3 inertia(const Pose& pose) const;  // [kg m^2] about the arm, in the world
  Mat3 answer(const Pose& pose) const;   // what a torque about the arm turns the body by
  Vec3 turning(std::span<const Vec3> at, std::span<const Vec3> load) const;

  double mass_, volume_, size_;
  Vec3 radius_;
  std::array<Vec3, 4> rest_;  // along the principal axes, about the centre

  // What is held, along the principal axes, and where it has to go.
  std::vector<Vec3> held_at_, held_to_, skin_at_, skin_to_;
  std::vector<double> one_each_;

  // In this substep.
  Held held_ = Held::nothing;
  Vec3 arm_ = Vec3::Zero();       // [m] along the principal axes: centre, or where it is held
  Vec3 arm_to_ = Vec3::Zero();    // [m] where the held place has to be
  Vec3 axis_ = Vec3::UnitX();     // of a hinge, along the principal axes
  Vec3 axis_to_ = Vec3::UnitX();  // of a hinge, in the world at the end
  Mat3 arm_inertia_ = Mat3::Identity();  // [kg m^2] about the arm, along the principal axes
  Vec3 pushed_ = Vec3::Zero();           // [N] what acts but for contact and what holds
  Vec3 momentum_ = Vec3::Zero();         // [kg m/s] at the start
  State state_;
  Mat3 answer_ = Mat3::Zero();    // [1/(kg m^2)]
  double gives_ = 0;              // [1/kg] of the arm
  Vec3 reaction_ = Vec3::Zero();  // [N]
};

}  // namespace pliant::rigid
