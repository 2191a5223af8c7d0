#pragma once

#include <memory>

#include "body/method.h"
#include "methods/shared/galerkin/conjugate_gradients.h"
#include "methods/shared/galerkin/elastic.h"
#include "methods/shared/galerkin/grips.h"
#include "methods/shared/galerkin/inertia_compliance.h"
#include "methods/shared/galerkin/lasting_factor.h"
#include "methods/shared/galerkin/rest_compliance.h"
#include "methods/shared/galerkin/rules.h"
#include "methods/shared/galerkin/short_step.h"
#include "methods/shared/galerkin/wide_elastic.h"
#include "methods/shared/inner_damping.h"

namespace pliant::galerkin {

/// A neo-Hookean body in motion: implicit steps of second order, few and long.
///
/// One substep finds the move d of the nodes, and with it their mean velocity d / h, from
///
///   M d / h = M v + h (beta f(x + d) + due + what else acts) + load / h
///
/// v the velocity of the substep before, f the elastic force, `due` what is still to come of
/// elastic forces of the two substeps before. That is Newmark's method, written for mean
/// velocities: with beta = (1 + a)^2 / 4 and gamma = 1/2 + a each force counts in three substeps,
/// by beta, 1/2 + gamma - 2 beta and 1/2 - gamma + beta. a = 0 keeps the energy of all vibrations,
/// a = 1 is backward Euler. Contact's load counts where it acts, as in backward Euler, so nothing
/// that lands bounces off but by elasticity, and what rests has no velocity.
///
/// Newton's method, started from the body flown on and turned as it flies and turns, in the body's
/// frame in floats (WideElastic), with the inverse of the body at rest (RestFactor) as
/// preconditioner. No step is taken that raises what the exact solution minimises.
///
/// What such steps lose of a free body's spin (backward Euler: two thirds in five seconds at one
/// turn a second) is put right from what torques there were.
class ImplicitStep {
 public:
  /// `rest`: where the nodes are at rest; `sound` [m/s], `size` [m] of the body.
  ImplicitStep(const Elastic& elastic, const std::vector<Vec3>& rest, const Rules& rules,
               double sound, double size);

  void advance(Nodes&, const Substep&, const Grips&);
  void correct(Nodes&, const Grips&);
  /// position = free + A^-1 load with the tangents of the last iteration.
  void respond(Nodes&, const Grips&);
  void finish(Nodes&, const Substep&, const Grips&, InnerDamping&);
  void archive(Archive&);

  /// Whether this substep is so short that bodies give way by their inertia alone.
  bool is_short() const { return is_short_ && !is_scaled_; }
  /// Null while there is no factor to make it from.
  BodyCompliance* compliance();

  /// Into how many substeps `dt` is cut for them to be short; endless where none ever are. Between
  /// steps.
  double short_count(const Nodes&, double dt);
  /// The same for steps of scaled inertia, which every body can take that is slow enough.
  double scaled_count(double dt) const;

  std::int64_t halved() const { return halved_; }  // steps that would have raised the energy
  int last_iterations() const { return last_iterations_; }  // of conjugate gradients, last advance

 private:
  void choose_weights(double h);
  /// [m] The move d.
  Vec3 moved(const Nodes& nodes, int n) const {
    return nodes.position[n] - nodes.previous[n] + shift_;
  }
  bool finds_short(const Nodes&, const Grips&);
  bool finds_scaled(const Nodes&, const Grips&);
  double first_swing(double h) const;
  void take_due(const Nodes&);
  void start(Nodes&, const Substep&, const Grips&);
  void leap(Nodes&, const Grips&);
  void answer_load(Nodes&, const std::vector<Vec3>& from);
  void owe(const Nodes&, const Grips&);
  Vec3 pressed() const;
  void fly_on(Nodes&);
  void evaluate(const std::vector<Vec3>& x, const std::vector<double>& mass);
  void prepare(const Nodes&, const Grips&);
  void find_residual(const Nodes&, const Grips&, const std::vector<Vec3>& load);
  void lead_held(const Nodes&, const Grips&);
  double merit_change(const Nodes&, const Grips&) const;
  /// One Newton iteration under this load, of at most so many conjugate gradients, for as long as
  /// the error by A, squared, is more than `least`. Returns what it was, 0 where nothing was to be
  /// done or nothing could be.
  double iterate(Nodes&, const Grips&, const std::vector<Vec3>& load, double least, int most);
  /// [kg m^2] At least r . A^-1 r, as A is at least the mass.
  double bound(const std::vector<Vec3>& r, const std::vector<char>& held) const;
  /// [kg m^2] Errors by A, squared, that are nothing.
  double nothing() const;
  void tell(const Nodes&, const Grips&, const std::vector<Vec3>& load);
  void multiply(const std::vector<Vec3>& x, const std::vector<char>& held, const Grips&,
                std::vector<Vec3>& y);
  void precondition(const std::vector<Vec3>& r, std::vector<Vec3>& x);
  void keep_momentum(Nodes&, const std::vector<Vec3>& load);
  void restore_spin(Nodes&, double h) const;

  const Rules rules_;
  const double sound_, size_;
  std::vector<Vec3> rest_;
  WideElastic wide_;
  std::unique_ptr<RestFactor> rest_factor_;
  std::unique_ptr<LastingFactor>
      scalar_factor_;  // of short steps, soft bodies, and those too large for the other
  ShortStep short_step_;
  std::unique_ptr<RestCompliance> answers_;
  InertiaCompliance inertia_answers_;  // of short steps of scaled inertia
  ConjugateGradients solver_;

  // Passed on to the next substep.
  bool started_ = false;
  bool was_short_ = false;             // then due_later_ is the elastic force at its start
  std::vector<Vec3> due_, due_later_;  // [N] elastic, of the next substep and the one after
  std::vector<Vec3> load_;             // [kg m] of contact in the last substep
  double load_h_ = 0;                  // [s] that it was of

  // Of this substep.
  double h_ = 0, damping_ = 0, beta_ = 1, later_ = 0, much_later_ = 0;
  bool is_free_ = true;        // nothing is held
  bool is_touched_ = false;    // there was contact in the last substep
  Vec3 push_ = Vec3::Zero();   // [m] by which all that acts but contact moves the whole body
  Vec3 shift_ = Vec3::Zero();  // [m] that nodes went less than their velocities say
  bool is_short_ = false;      // inertia rules in all motions
  bool is_scaled_ = false;     // by an inertia that contact feels, too
  double crush_ = 0;           // share of what moves inside that such a step loses
  bool use_rest_factor_ = false, use_scalar_factor_ = false, roughly_ = false;
  std::vector<Vec3> given_;  // [kg m] h M v and all forces but those that depend on the move
  std::vector<double> mass_, no_mass_;
  double total_mass_ = 0;

  // Where forces were evaluated last: in the body's frame, forces with it.
  bool is_current_ = false;  // that is where the nodes are
  Pose frame_;               // rest to world
  std::vector<Vec3> displacement_, force_;
  WideElastic::State state_;

  std::vector<Vec3> residual_, step_, product_, before_, answer_;
  std::vector<char> none_held_;
  double energy_before_ = 0;
  std::int64_t halved_ = 0;
  int last_iterations_ = 0;
};

}  // namespace pliant::galerkin
