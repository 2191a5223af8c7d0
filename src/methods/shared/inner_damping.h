#pragma once

#include <vector>

#include "methods/shared/flight.h"

namespace pliant {

/// Inner motion dies at the material's rate; rigid motion does not. Each connected piece of the
/// body is drawn towards the rigid motion closest to its own, so a mode of vibration decays at the
/// same rate on a coarse and on a fine discretisation. Keeps linear and angular momentum of a free
/// piece exactly and never adds kinetic energy.
class InnerDamping {
 public:
  /// Per node: rate [1/s] and number of its piece, counted from 0.
  InnerDamping(std::vector<double> rate, std::vector<int> piece);

  /// Changes the velocities of free nodes. Held nodes lead: where they fix the motion of a piece,
  /// it is their motion that is not damped; about a single held point or hinge the piece still
  /// swings freely.
  /// `more` [1/s] is added to every rate, and pieces without held nodes lose their spin at it too:
  /// for bodies that recover from being scrambled, because unfolding makes spin out of nothing.
  void apply(Nodes& nodes, double h, double more = 0);

  /// The end of a substep: velocities from ways, then apply(), each node visited once less.
  void finish(Nodes& nodes, double h, double more = 0);

  /// The same, but where that is possible velocities are left to the next flight, which is told
  /// how to find them.
  LateVelocities finish_late(Nodes& nodes, double h, double more = 0);

 private:
  /// Sums over the nodes of a piece, seen from a place and a motion near its own.
  struct Sums {
    double weight = 0;
    bool led = false;  // has held nodes
    Vec3 place = Vec3::Zero();
    Vec3 drift = Vec3::Zero();
    Vec3 turning = Vec3::Zero();  // angular momentum, by weight
    Mat3 spread = Mat3::Zero();   // of which the lower half is summed
  };
  /// The rigid motion a piece is drawn to.
  struct Motion {
    bool led = false;
    Vec3 centre = Vec3::Zero();
    Vec3 drift = Vec3::Zero();
    Vec3 spin = Vec3::Zero();
  };

  void set_shares(const Nodes& nodes, double h, double more);
  int grain(int nodes) const;
  void add(const Nodes& nodes, int begin, int end, double per_h, Sums* sums) const;
  void fit_rigid_motion(const Nodes& nodes, double per_h);
  void damp(Nodes& nodes, double per_h, double h, double more);

  std::vector<double> rate_;
  std::vector<int> piece_;
  std::vector<int> first_;      // node of each piece: sums are seen from there,
  std::vector<Vec3> places_;    // where it is
  std::vector<Vec3> speeds_;    // and how it moves
  std::vector<double> share_;   // per node, taken in a step of length h_ with more_ added,
  std::vector<double> weight_;  // and its product with mass
  double h_ = 0, more_ = 0;
  std::vector<Motion> motions_;
  std::vector<Sums> parts_;  // [chunk][piece] sums of one chunk of nodes
  bool active_ = false;
};

/// Angular velocity with I w = L; none about axes without inertia (points on a line or in one
/// place).
Vec3 angular_velocity(const Mat3& inertia, const Vec3& angular_momentum);

}  // namespace pliant
