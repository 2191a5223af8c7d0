#include "methods/shared/galerkin/implicit_step.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/assert.h"
#include "math/rigid_fit.h"

namespace pliant::galerkin {
namespace {

/// Floats: larger factors of the body at rest are not made (160 MB, about 4000 nodes).
constexpr std::size_t largest_rest_factor = 40'000'000;
constexpr std::size_t largest_scalar_factor = 200'000'000;

/// Stiffness against inertia, as LastingFactor has it, below which its small factor is the better
/// preconditioner: where inertia rules, the way nodes are coupled hardly matters, and it is a ninth
/// as large. Measured with a sphere of 256 and 984 nodes: jelly (0.01 to 0.02) takes as many
/// iterations with either, soft rubber (0.8 to 1.5) eight times as many with the small one.
constexpr double soft_from = 0.1;
/// From here on products are exact: of a body that is stiff against its inertia, rough ones would
/// turn it.
constexpr double stiff_from = 5;

/// Of Newton's method per free motion where the scene does not say. The second one is left out
/// where the first has nothing to mend.
constexpr int usual_iterations = 2;

/// Of conjugate gradients: what may be left of the residual. Newton's next iteration, or the next
/// substep, sees the rest: with a tenth of this a falling ball takes twice the iterations and the
/// same way to a hundredth of its size.
constexpr double linear_tolerance = 0.1;
constexpr int most_linear_iterations = 200;
/// What contact asks for it asks again, from a guess of how a squeezed body gives way that is off
/// by more than two of them leave.
constexpr int most_contact_iterations = 2;
/// Another Newton iteration is made where more than this is left of the error by A, squared.
constexpr double newton_tolerance = 1e-3;
/// [sqrt(m)/s] Speeds below this times sqrt(size) are nothing: a ten-thousandth of what a body
/// gains when it falls by its own size.
constexpr double least_speed = 3e-4;
/// [s] In shorter steps it is less in proportion, or slow changes would never begin.
constexpr double usual_step = 1.0 / 240;

constexpr int most_halvings = 8;

/// Steps of scaled inertia: at most so much of first_swing(), or the body would swing visibly
/// slower: by 1 % at the slowest vibration.
constexpr double calm_first_swing = 0.1;
/// How many times stiffer than at rest a body is from where on scaled inertia loses what moves in
/// it, and loses all. Without, a castle, a mug and a chicken of 0.4 to 8 times rho (g L + v^2) lose
/// less in landing, and the chicken turns inside out and explodes.
constexpr double crushed_from = 8, crushed_wholly = 64;

/// Numerical damping: little where steps resolve how sound goes through the body, and its
/// vibrations with it; backward Euler where they do not, and vibrations would only flip from step
/// to step.
constexpr double least_numerical_damping = 0.1;
constexpr double resolved = 1.0, unresolved = 8.0;  // sizes that sound goes in a substep

Vec3 centre(const std::vector<Vec3>& x, const std::vector<double>& mass, double total) {
  Vec3 sum = Vec3::Zero();
  for (std::size_t n = 0; n < x.size(); ++n) sum += mass[n] * x[n];
  return sum / total;
}

/// About a centre.
struct Spin {
  Mat3 inertia = Mat3::Zero();
  Vec3 momentum = Vec3::Zero();  // angular

  void add(double mass, const Vec3& arm, const Vec3& velocity) {
    inertia += mass * (arm.squaredNorm() * Mat3::Identity() - arm * arm.transpose());
    momentum += mass * arm.cross(velocity);
  }
};

}  // namespace

ImplicitStep::ImplicitStep(const Elastic& elastic, const std::vector<Vec3>& rest,
                           const Rules& rules, double sound, double size)
    : rules_(rules),
      sound_(sound),
      size_(size),
      rest_(rest),
      wide_(elastic),
      scalar_factor_(std::make_unique<LastingFactor>(elastic)),
      short_step_(elastic, wide_, *scalar_factor_),
      inertia_answers_(rest.size(),
                       [this](std::span<const int> nodes, std::vector<Vec3>& columns) {
                         short_step_.columns(nodes, mass_, is_free_, columns);
                       }),
      solver_(rest.size()) {
  const auto count = rest_.size();
  ASSERT(int(count) == elastic.nodes(), "one place per node");
  rest_factor_ = std::make_unique<RestFactor>(elastic, rest_);
  if (rest_factor_->size() > largest_rest_factor) {
    rest_factor_.reset();
  } else {
    answers_ = std::make_unique<RestCompliance>(
        *rest_factor_, count,
        [this](const std::vector<Vec3>& r, std::vector<Vec3>& x) { precondition(r, x); });
  }
  for (std::vector<Vec3>* field : {&due_, &due_later_, &load_, &given_, &displacement_, &force_,
                                   &residual_, &step_, &product_, &before_, &answer_})
    field->assign(count, Vec3::Zero());
  mass_.assign(count, 0);
  no_mass_.assign(count, 0);
  none_held_.assign(count, 0);
}

void ImplicitStep::choose_weights(double h) {
  const double passed = std::max(1e-9, sound_ * h / size_);
  const double share =
      std::clamp(std::log(passed / resolved) / std::log(unresolved / resolved), 0.0, 1.0);
  const double a = least_numerical_damping + (1 - least_numerical_damping) * share;
  const double gamma = 0.5 + a;
  beta_ = 0.25 * (1 + a) * (1 + a);
  later_ = 0.5 + gamma - 2 * beta_;
  much_later_ = 0.5 - gamma + beta_;
}

void ImplicitStep::evaluate(const std::vector<Vec3>& x, const std::vector<double>& mass) {
  frame_ = best_rigid_fit(rest_, x, mass);
  const Mat3 back = frame_.rotation.toRotationMatrix().transpose();
  for (std::size_t n = 0; n < x.size(); ++n)
    displacement_[n] = back * (x[n] - frame_.position) - rest_[n];
  state_ = wide_.update(displacement_, force_, roughly_);
  is_current_ = true;
}

void ImplicitStep::prepare(const Nodes& nodes, const Grips& grips) {
  const Grips* used = grips.size() > 0 ? &grips : nullptr;
  const double stiffness = beta_ * h_ * h_ + h_ * rules_.stiffness_damping;
  use_rest_factor_ =
      rest_factor_ && rest_factor_->prepare(mass_, stiffness, nodes.held, used, h_ * h_);
  const bool soft = stiffness * scalar_factor_->trace() / total_mass_ < soft_from;
  use_scalar_factor_ = (soft || !use_rest_factor_) &&
                       scalar_factor_->size() < largest_scalar_factor &&
                       scalar_factor_->prepare(mass_, stiffness, nodes.held, used, h_ * h_);
}

bool ImplicitStep::finds_short(const Nodes& nodes, const Grips& grips) {
  is_scaled_ = false;
  if (rules_.newton > 0 || rules_.stiffness_damping > 0) return false;
  if (grips.size() > 0 || !short_step_.is_short(nodes.mass, h_)) return finds_scaled(nodes, grips);
  if (!is_current_) evaluate(nodes.position, nodes.mass);
  if (!short_step_.is_short(nodes.mass, h_, state_.least_J)) return finds_scaled(nodes, grips);
  return short_step_.prepare(mass_, h_, nodes.held);
}

/// The square of how far the body's slowest vibration swings in h, times how much stiffer its laws
/// are than to shear: what scaled inertia adds to that vibration's own is less than half of it.
double ImplicitStep::first_swing(double h) const {
  const double swing = std::numbers::pi * sound_ / size_ * h;
  return short_step_.stiffest_at_rest() * swing * swing;
}

bool ImplicitStep::finds_scaled(const Nodes& nodes, const Grips& grips) {
  if (first_swing(h_) > calm_first_swing) return false;
  if (!is_current_) evaluate(nodes.position, nodes.mass);
  const double stiffest = wide_.stiffest();
  if (!short_step_.prepare_scaled(mass_, h_, nodes.held, stiffest,
                                  grips.size() > 0 ? &grips : nullptr))
    return false;
  inertia_answers_.of_factor(short_step_.made(), short_step_.scale(), is_free_);
  crush_ = std::clamp(
      (stiffest / short_step_.stiffest_at_rest() - crushed_from) / (crushed_wholly - crushed_from),
      0.0, 1.0);
  return is_scaled_ = true;
}

/// Elastic forces of the past that count in this substep.
void ImplicitStep::take_due(const Nodes& nodes) {
  if (started_ && !is_short_ && !was_short_) return;  // finish() said so
  if (!is_current_) evaluate(nodes.position, nodes.mass);
  const Mat3 R = frame_.rotation.toRotationMatrix();
  Vec3 stray = Vec3::Zero();  // inner forces have no sum, but for the rounding of floats
  for (const Vec3& force : force_) stray += force;
  stray *= is_free_ ? 1 / total_mass_ : 0;
  for (int n = 0; n < nodes.size(); ++n) {
    const Vec3 now = -(R * (force_[n] - nodes.mass[n] * stray));
    if (is_short_) {
      due_[n] = started_ ? now : Vec3(0.5 * now);
      if (was_short_) due_[n] += least_numerical_damping * (now - due_later_[n]);
      due_later_[n] = now;
    } else {
      // Newmark's first step, with the forces at the start, or one from the middle of substeps.
      due_[n] = (started_ ? 1 - beta_ : std::max(0.0, 0.5 - beta_)) * now;
      due_later_[n] = much_later_ * now;
    }
  }
  started_ = true;
}

/// What of this substep does not depend on the move.
void ImplicitStep::start(Nodes& nodes, const Substep& substep, const Grips& grips) {
  h_ = substep.h;
  choose_weights(h_);
  damping_ = 1 + h_ * rules_.mass_damping;
  total_mass_ = 0;
  for (int n = 0; n < nodes.size(); ++n) {
    mass_[n] = damping_ * nodes.mass[n];
    total_mass_ += nodes.mass[n];
  }
  const double stiffness = beta_ * h_ * h_ + h_ * rules_.stiffness_damping;
  roughly_ = wide_.is_large() && stiffness * scalar_factor_->trace() / total_mass_ < stiff_from;
  is_short_ = finds_short(nodes, grips);
  take_due(nodes);
  if (load_h_ > 0 && load_h_ != h_)
    for (Vec3& load : load_) load *= (h_ / load_h_) * (h_ / load_h_);
  load_h_ = h_;
  is_touched_ = std::any_of(load_.begin(), load_.end(), [](const Vec3& l) { return !l.isZero(0); });
  Vec3 pushed = Vec3::Zero();
  for (int n = 0; n < nodes.size(); ++n) {
    pushed += nodes.force[n];
    given_[n] = h_ * nodes.mass[n] * nodes.velocity[n] + h_ * h_ * (due_[n] + nodes.force[n]);
  }
  // What nothing touches flies its parabola: all of the substep's push counts for the velocity,
  // half of it for the way. What is touched goes all of it, or it would rest with half a push as
  // speed.
  push_ = h_ * h_ / total_mass_ * pushed;
  shift_ = is_free_ && !is_touched_ ? Vec3(0.5 * push_) : Vec3(Vec3::Zero());
}

/// A short step.
void ImplicitStep::leap(Nodes& nodes, const Grips& grips) {
  for (int n = 0; n < nodes.size(); ++n)
    residual_[n] = nodes.held[n] ? Vec3(Vec3::Zero())
                                 : Vec3(given_[n] + load_[n] - h_ * mass_[n] * nodes.velocity[n]);
  if (grips.size() > 0) {
    for (int n = 0; n < nodes.size(); ++n) before_[n] = nodes.previous[n] + h_ * nodes.velocity[n];
    grips.add_pull(before_, h_ * h_, residual_);
  }
  if (is_scaled_ && crush_ > 0) {
    short_step_.add_product(nodes.velocity, -crush_ * h_ * short_step_.scale(), residual_);
    for (int n = 0; n < nodes.size(); ++n)
      if (nodes.held[n]) residual_[n].setZero();
  }
  short_step_.answer(residual_, mass_, is_free_, step_);
  for (int n = 0; n < nodes.size(); ++n) {
    nodes.mobility[n] = nodes.held[n] ? 0 : 1 / mass_[n];
    if (nodes.held[n]) {
      nodes.position[n] = nodes.target[n];
      continue;
    }
    nodes.position[n] = nodes.previous[n] + h_ * nodes.velocity[n] + step_[n] - shift_;
    // The body answers the load of the last substep as a whole; contact takes it back, or gives it
    // again, as mobility says: what changes of it is all that is answered by single nodes.
    if (!is_scaled_) nodes.position[n] -= nodes.mobility[n] * load_[n];
  }
  is_current_ = false;
  if (is_scaled_) inertia_answers_.answered = load_;
  else if (answers_) std::fill(answers_->answered.begin(), answers_->answered.end(), Vec3::Zero());
}

/// By contact in the last substep.
Vec3 ImplicitStep::pressed() const {
  Vec3 sum = Vec3::Zero();
  for (const Vec3& load : load_) sum += load;
  return sum;
}

/// Where the body is when it goes on flying and turning as a rigid one, under the load of the last
/// substep: its forces turn with it.
void ImplicitStep::fly_on(Nodes& nodes) {
  const Vec3 middle = centre(nodes.previous, nodes.mass, total_mass_);
  Vec3 drift = Vec3::Zero();
  Spin spin;
  for (int n = 0; n < nodes.size(); ++n) {
    drift += nodes.mass[n] / total_mass_ * nodes.velocity[n];
    spin.add(nodes.mass[n], nodes.previous[n] - middle, nodes.velocity[n]);
  }
  const Vec3 turn = h_ * angular_velocity(spin.inertia, spin.momentum);
  const double angle = std::min(turn.norm(), 1.0);
  const Quat turned(angle > 0 ? Eigen::AngleAxisd(angle, turn.normalized())
                              : Eigen::AngleAxisd::Identity());
  const Vec3 flown = middle + h_ * drift + push_ + pressed() / total_mass_ - shift_;
  const auto fly = [&](const Vec3& x) { return Vec3(flown + turned * (x - middle)); };
  for (int n = 0; n < nodes.size(); ++n) nodes.position[n] = fly(nodes.previous[n]);
  frame_.position = fly(frame_.position);
  frame_.rotation = (turned * frame_.rotation).normalized();
}

/// Of the equation above, times h, in the body's frame.
void ImplicitStep::find_residual(const Nodes& nodes, const Grips& grips,
                                 const std::vector<Vec3>& load) {
  ASSERT(is_current_, "forces are those of these positions");
  const Mat3 back = frame_.rotation.toRotationMatrix().transpose();
  for (int n = 0; n < nodes.size(); ++n)
    residual_[n] = given_[n] + load[n] - mass_[n] * moved(nodes, n);
  if (grips.size() > 0) grips.add_pull(nodes.position, h_ * h_, residual_);
  for (int n = 0; n < nodes.size(); ++n)
    residual_[n] = back * residual_[n] - beta_ * h_ * h_ * force_[n];
  if (rules_.stiffness_damping > 0) {
    for (int n = 0; n < nodes.size(); ++n) answer_[n] = back * moved(nodes, n);
    wide_.multiply(answer_, no_mass_, h_ * rules_.stiffness_damping, none_held_, false, product_);
    for (int n = 0; n < nodes.size(); ++n) residual_[n] -= product_[n];
  }
}

/// What held nodes do in this iteration acts on the others.
void ImplicitStep::lead_held(const Nodes& nodes, const Grips& grips) {
  const Mat3 back = frame_.rotation.toRotationMatrix().transpose();
  bool any = false;
  for (int n = 0; n < nodes.size(); ++n) {
    answer_[n] =
        nodes.held[n] ? Vec3(back * (nodes.target[n] - nodes.position[n])) : Vec3(Vec3::Zero());
    any = any || !answer_[n].isZero(0);
  }
  if (any) {
    multiply(answer_, none_held_, grips, product_);
    for (int n = 0; n < nodes.size(); ++n) residual_[n] -= product_[n];
  }
  for (int n = 0; n < nodes.size(); ++n)
    if (nodes.held[n]) residual_[n].setZero();
}

void ImplicitStep::multiply(const std::vector<Vec3>& x, const std::vector<char>& held,
                            const Grips& grips, std::vector<Vec3>& y) {
  wide_.multiply(x, mass_, beta_ * h_ * h_ + h_ * rules_.stiffness_damping, held, roughly_, y);
  if (grips.size() == 0) return;
  grips.add_product(x, h_ * h_, y);
  for (std::size_t n = 0; n < y.size(); ++n)
    if (held[n]) y[n].setZero();
}

void ImplicitStep::precondition(const std::vector<Vec3>& r, std::vector<Vec3>& x) {
  if (use_scalar_factor_) {
    scalar_factor_->apply(r, x);
    const double stiffness = beta_ * h_ * h_ + h_ * rules_.stiffness_damping;
    for (Vec3& v : x) v /= stiffness;
  } else if (use_rest_factor_) {
    rest_factor_->apply(r, x);
  } else {
    for (std::size_t n = 0; n < r.size(); ++n) x[n] = r[n] / mass_[n];
  }
}

/// Inner forces move no free body: what Newton's method, its line search and conjugate gradients
/// left of the sum of all equations is put right by moving all nodes alike, which strains nothing.
void ImplicitStep::keep_momentum(Nodes& nodes, const std::vector<Vec3>& load) {
  if (!is_free_) return;
  Vec3 missing = Vec3::Zero();
  for (int n = 0; n < nodes.size(); ++n)
    missing += given_[n] + load[n] - mass_[n] * moved(nodes, n);
  missing /= damping_ * total_mass_;
  for (Vec3& x : nodes.position) x += missing;
  frame_.position += missing;
}

/// What the solution minimises, where the nodes are less where they were before; [kg m^2].
double ImplicitStep::merit_change(const Nodes& nodes, const Grips& grips) const {
  double change = 0;
  for (int n = 0; n < nodes.size(); ++n) {
    const Vec3 step = nodes.position[n] - before_[n];
    change += step.dot(mass_[n] * (moved(nodes, n) - 0.5 * step) - product_[n]);
  }
  for (int g = 0; g < grips.size(); ++g)
    change += 0.5 * h_ * h_ * grips.stiffness[g] *
              ((grips.place(g, nodes.position) - grips.target[g]).squaredNorm() -
               (grips.place(g, before_) - grips.target[g]).squaredNorm());
  return change + beta_ * h_ * h_ * (state_.energy - energy_before_);
}

double ImplicitStep::bound(const std::vector<Vec3>& r, const std::vector<char>& held) const {
  double sum = 0;
  for (std::size_t n = 0; n < r.size(); ++n)
    if (!held[n]) sum += r[n].squaredNorm() / mass_[n];
  return sum;
}

double ImplicitStep::nothing() const {
  const double slow = least_speed * std::sqrt(size_) * h_ * std::min(1.0, h_ / usual_step);
  return total_mass_ * slow * slow;
}

double ImplicitStep::iterate(Nodes& nodes, const Grips& grips, const std::vector<Vec3>& load,
                             double least, int most) {
  find_residual(nodes, grips, load);
  lead_held(nodes, grips);
  bool leads = false;
  for (int n = 0; n < nodes.size(); ++n) leads = leads || !answer_[n].isZero(0);
  // answer_ keeps what held nodes do.
  const double enough = std::max(least, nothing());
  const auto outcome = solver_.solve(
      [&](const std::vector<Vec3>& x, std::vector<Vec3>& y) { multiply(x, nodes.held, grips, y); },
      [&](const std::vector<Vec3>& r, std::vector<Vec3>& x) {
        precondition(r, x);
        if (!is_free_)
          for (std::size_t n = 0; n < x.size(); ++n)
            if (nodes.held[n]) x[n].setZero();
      },
      [&](const std::vector<Vec3>& r) { return bound(r, nodes.held); }, residual_, step_, enough,
      linear_tolerance, most);
  last_iterations_ += outcome.iterations;
  if (outcome.iterations == 0 && !leads) return 0;
  const Mat3 R = frame_.rotation.toRotationMatrix();
  before_ = nodes.position;
  energy_before_ = state_.energy;
  for (int n = 0; n < nodes.size(); ++n) {
    step_[n] = R * (nodes.held[n] ? answer_[n] : step_[n]);
    product_[n] = given_[n] + load[n];
  }
  double share = 1;
  for (int halving = 0;; ++halving) {
    for (int n = 0; n < nodes.size(); ++n)
      nodes.position[n] = nodes.held[n] ? nodes.target[n] : Vec3(before_[n] + share * step_[n]);
    evaluate(nodes.position, nodes.mass);
    if (leads && std::isfinite(state_.energy)) break;  // what leads may do work
    const double noise = 1e-5 * beta_ * h_ * h_ * (state_.energy + energy_before_) + 1e-3 * enough;
    if (merit_change(nodes, grips) <= noise) break;
    ++halved_;
    if (halving == most_halvings) {
      nodes.position = before_;
      evaluate(nodes.position, nodes.mass);
      return 0;
    }
    share *= 0.5;
  }
  return outcome.first;
}

void ImplicitStep::advance(Nodes& nodes, const Substep& substep, const Grips& grips) {
  is_free_ =
      grips.size() == 0 && std::find(nodes.held.begin(), nodes.held.end(), 1) == nodes.held.end();
  last_iterations_ = 0;
  start(nodes, substep, grips);
  if (is_short_) {
    leap(nodes, grips);
    return;
  }
  prepare(nodes, grips);
  if (!use_rest_factor_)  // contact has no compliance to take it back with
    std::fill(load_.begin(), load_.end(), Vec3::Zero());
  if (!is_current_) evaluate(nodes.position, nodes.mass);
  if (is_free_) fly_on(nodes);
  // What is touched goes on iterating in correct().
  const int most = rules_.newton > 0 ? rules_.newton : (is_touched_ ? 1 : usual_iterations);
  double first = 0;
  for (int i = 0; i < most; ++i) {
    const double found =
        iterate(nodes, grips, load_, newton_tolerance * first, most_linear_iterations);
    if (found == 0) break;
    first = std::max(first, found);
  }
  keep_momentum(nodes, load_);
  tell(nodes, grips, load_);
}

/// What contact may count on.
void ImplicitStep::tell(const Nodes& nodes, const Grips& grips, const std::vector<Vec3>& load) {
  if (!use_rest_factor_) return;
  answers_->answered = load;
  find_residual(nodes, grips, load);
  for (int n = 0; n < nodes.size(); ++n)
    answers_->left[n] = nodes.held[n] ? Vec3(Vec3::Zero()) : residual_[n];
  answers_->has_left = true;
  answers_->is_balanced = bound(residual_, nodes.held) <= nothing();
  answers_->turn = frame_.rotation.toRotationMatrix();
}

/// Of a short step of scaled inertia, whose answers are linear: the answer to another load.
void ImplicitStep::answer_load(Nodes& nodes, const std::vector<Vec3>& from) {
  for (int n = 0; n < nodes.size(); ++n)
    residual_[n] =
        nodes.held[n] ? Vec3(Vec3::Zero()) : Vec3(nodes.load[n] - inertia_answers_.answered[n]);
  short_step_.answer(residual_, mass_, is_free_, step_);
  for (int n = 0; n < nodes.size(); ++n)
    nodes.position[n] = nodes.held[n] ? from[n] : Vec3(from[n] + step_[n]);
}

void ImplicitStep::correct(Nodes& nodes, const Grips& grips) {
  if (is_scaled_) {
    answer_load(nodes, nodes.position);
    inertia_answers_.answered = nodes.load;
    return;
  }
  if (!is_current_) evaluate(nodes.position, nodes.mass);
  iterate(nodes, grips, nodes.load, 0, most_contact_iterations);
  keep_momentum(nodes, nodes.load);
  tell(nodes, grips, nodes.load);
}

double ImplicitStep::scaled_count(double dt) const {
  if (rules_.newton > 0 || rules_.stiffness_damping > 0)
    return std::numeric_limits<double>::infinity();
  return std::sqrt(first_swing(dt) / calm_first_swing);
}

double ImplicitStep::short_count(const Nodes& nodes, double dt) {
  if (rules_.grip > 0 || rules_.newton > 0 || rules_.stiffness_damping > 0)
    return std::numeric_limits<double>::infinity();
  is_current_ = false;
  return short_step_.count(nodes.mass, dt);
}

BodyCompliance* ImplicitStep::compliance() {
  if (is_scaled_) return &inertia_answers_;
  if (!is_short_ && !use_rest_factor_) return nullptr;
  return answers_.get();
}

void ImplicitStep::respond(Nodes& nodes, const Grips& grips) {
  is_current_ = false;
  if (is_scaled_) {
    answer_load(nodes, nodes.free);
    return;
  }
  const Mat3 R = frame_.rotation.toRotationMatrix();
  double size = 0;
  for (int n = 0; n < nodes.size(); ++n) {
    residual_[n] = nodes.held[n] ? Vec3(Vec3::Zero()) : Vec3(R.transpose() * nodes.load[n]);
    size += residual_[n].squaredNorm();
  }
  if (size == 0) {
    nodes.position = nodes.free;
    return;
  }
  product_ = residual_;
  solver_.solve(
      [&](const std::vector<Vec3>& x, std::vector<Vec3>& y) { multiply(x, nodes.held, grips, y); },
      [&](const std::vector<Vec3>& r, std::vector<Vec3>& x) { precondition(r, x); },
      [&](const std::vector<Vec3>& r) { return bound(r, nodes.held); }, residual_, answer_, 0, 1e-5,
      200);
  if (is_free_) {  // the same for this answer
    Vec3 missing = Vec3::Zero();
    for (int n = 0; n < nodes.size(); ++n) missing += product_[n] - mass_[n] * answer_[n];
    for (Vec3& x : answer_) x += missing / (damping_ * total_mass_);
  }
  for (int n = 0; n < nodes.size(); ++n)
    nodes.position[n] = nodes.held[n] ? nodes.free[n] : Vec3(nodes.free[n] + R * answer_[n]);
}

/// x0 x (mean velocity) changes by the torques about x0 alone: inner forces have none there that
/// Newmark's weights do not make up.
void ImplicitStep::restore_spin(Nodes& nodes, double h) const {
  const Vec3 middle = centre(nodes.previous, nodes.mass, total_mass_);
  Spin now;
  Vec3 wanted = Vec3::Zero();
  for (int n = 0; n < nodes.size(); ++n) {
    const Vec3 arm = nodes.previous[n] - middle;
    now.add(nodes.mass[n], arm, nodes.velocity[n]);
    const Vec3 without_due = given_[n] / h - h * due_[n];  // momentum and pushes
    wanted += arm.cross((without_due + nodes.load[n] / h) / damping_);
  }
  const Vec3 more = angular_velocity(now.inertia, wanted - now.momentum);
  for (int n = 0; n < nodes.size(); ++n)
    nodes.velocity[n] += more.cross(nodes.previous[n] - middle);
}

/// The elastic force that this move took: what balances it, not what the law says where it ended,
/// or whatever Newton's method left would come back as a force, the stiffer the body the larger.
void ImplicitStep::owe(const Nodes& nodes, const Grips& grips) {
  for (int n = 0; n < nodes.size(); ++n)
    product_[n] = mass_[n] * moved(nodes, n) - given_[n] - nodes.load[n];
  if (grips.size() > 0) grips.add_pull(nodes.position, -h_ * h_, product_);
  for (int n = 0; n < nodes.size(); ++n) {
    const Vec3 force = nodes.held[n] ? Vec3(Vec3::Zero()) : Vec3(product_[n] / (beta_ * h_ * h_));
    due_[n] = due_later_[n] + later_ * force;
    due_later_[n] = much_later_ * force;
  }
}

void ImplicitStep::finish(Nodes& nodes, const Substep& substep, const Grips& grips,
                          InnerDamping& damping) {
  const double h = substep.h;
  for (int n = 0; n < nodes.size(); ++n) {
    if (nodes.held[n]) nodes.velocity[n] = (nodes.target[n] - nodes.previous[n]) / h;
    else nodes.velocity[n] = moved(nodes, n) / h;
  }
  if (is_free_) restore_spin(nodes, h);
  was_short_ = is_short_;
  load_ = nodes.load;
  if (!is_short_) owe(nodes, grips);
  damping.apply(nodes, h);
  // What is known of the positions is found anew in each step, as a run that is resumed must do.
  if (substep.last) is_current_ = false;
}

void ImplicitStep::archive(Archive& archive) {
  archive.value("implicit started", started_);
  archive.value("implicit was short", was_short_);
  archive.array("implicit due", due_);
  archive.array("implicit due later", due_later_);
  archive.array("implicit load", load_);
  archive.value("implicit load step", load_h_);
  if (archive.is_loading()) is_current_ = false;
}

}  // namespace pliant::galerkin
