#include "methods/shared/galerkin/short_step.h"

#include <algorithm>
#include <cmath>

#include "core/assert.h"
#include "core/random.h"

namespace pliant::galerkin {
namespace {

/// h^2 times the square of the fastest vibration: the leapfrog method is stable below 4 without
/// damping. Jelly dropped at 12 to 24 substeps a frame is calm below 3 and explodes above 4.
constexpr double longest = 3;
/// What steps should be for a body that falls and is squeezed to two thirds.
constexpr double calm = 0.7;
constexpr double least_stiffened = 0.25;
/// A quarter would do for a body that gets no stiffer within the step, and without damping.
constexpr double scaled_share = 0.4;
/// What is hardly stiffer than at rest counts as at rest. From there on by factors of 2 and 4, so
/// that a body that crumples needs few factors.
constexpr double slack = 1.25;
/// Nobody takes so many substeps: how many more it would be need not be known.
constexpr double many = 100;
/// Power iterations; 10 of them find 97 %.
constexpr int iterations = 20;
constexpr std::size_t largest_factor = 200'000'000;

/// How much stiffer than at rest log_neo_hookean is against further squeezing. What is squeezed by
/// less than a tenth counts as at rest.
double stiffening(double J) { return J < 0.9 ? (1 - std::log(J)) / (J * J) : 1; }

double sum_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum;
}

}  // namespace

ShortStep::ShortStep(const Elastic& elastic, WideElastic& wide, LastingFactor& factor)
    : wide_(wide), factor_(factor) {
  for (int p = 0; p < elastic.points().size(); ++p)
    stiffest_ = std::max(stiffest_, 1 + elastic.law(p).pressure(1).second / elastic.law(p).shear());
}

double ShortStep::fastest(const std::vector<double>& mass) {
  if (fastest_ > 0) return fastest_;
  const auto count = mass.size();
  std::vector<Vec3> x(count, Vec3::Zero()), product(count);
  const std::vector<double> no_mass(count, 0);
  const std::vector<char> none_held(count, 0);
  wide_.update(x, product);
  for (std::size_t n = 0; n < count; ++n)
    for (int axis = 0; axis < 3; ++axis) x[n][axis] = random_unit(n, std::uint64_t(axis)) - 0.5;
  for (int i = 0; i < iterations; ++i) {
    double size = 0;
    for (std::size_t n = 0; n < count; ++n) size += mass[n] * x[n].squaredNorm();
    for (Vec3& v : x) v /= std::sqrt(size);
    wide_.multiply(x, no_mass, 1, none_held, false, product);
    fastest_ = 0;
    for (std::size_t n = 0; n < count; ++n) {
      fastest_ += x[n].dot(product[n]);
      x[n] = product[n] / mass[n];
    }
  }
  return fastest_;
}

/// Of the squares of all vibrations: less than the fastest, and known at once.
double ShortStep::mean(const std::vector<double>& mass) const {
  return factor_.trace() / sum_of(mass);
}

double ShortStep::count(const std::vector<double>& mass, double dt) {
  const double at_least = dt * std::sqrt(mean(mass) / calm);
  return at_least > many ? at_least : dt * std::sqrt(fastest(mass) / calm);
}

bool ShortStep::is_short(const std::vector<double>& mass, double h) {
  if (factor_.size() > largest_factor) return false;
  return h * h * mean(mass) <= longest && h * h * fastest(mass) <= longest;
}

bool ShortStep::is_short(const std::vector<double>& mass, double h, double least_J) {
  return least_J > 0 && h * h * fastest(mass) * stiffening(least_J) <= longest;
}

bool ShortStep::prepare(const std::vector<double>& mass, double h, const std::vector<char>& held) {
  return prepare_for(least_stiffened * stiffest_ * h * h, mass, h, held, nullptr);
}

bool ShortStep::prepare_scaled(const std::vector<double>& mass, double h,
                               const std::vector<char>& held, double stiffest, const Grips* grips) {
  double level = 1;
  while (level < 1e12 && level * slack * stiffest_ < stiffest) level *= level < 4 ? 2 : 4;
  return prepare_for(scaled_share * level * slack * stiffest_ * h * h, mass, h, held, grips);
}

bool ShortStep::prepare_for(double wanted, const std::vector<double>& mass, double h,
                            const std::vector<char>& held, const Grips* grips) {
  // The factor counts its inertia by powers of two: with one of them it is what it says.
  const double total = sum_of(mass);
  stiffness_ = std::ldexp(total, -int(std::floor(std::log2(total / wanted))));
  return factor_.prepare(mass, stiffness_, held, grips, h * h);
}

void ShortStep::answer(std::vector<Vec3>& residual, const std::vector<double>& mass, bool whole,
                       std::vector<Vec3>& move) {
  ASSERT(stiffness_ > 0, "prepare() comes first");
  const double total = sum_of(mass);
  Vec3 shared = Vec3::Zero();
  if (whole) {
    for (const Vec3& r : residual) shared += r;
    shared /= total;
    for (std::size_t n = 0; n < residual.size(); ++n) residual[n] -= mass[n] * shared;
  }
  factor_.apply(residual, move);
  for (Vec3& x : move) x /= stiffness_;
  if (!whole) return;
  for (std::size_t n = 0; n < move.size(); ++n) shared -= mass[n] / total * move[n];
  for (Vec3& x : move) x += shared;
}

void ShortStep::columns(std::span<const int> nodes, const std::vector<double>& mass, bool whole,
                        std::vector<Vec3>& moves) {
  ASSERT(nodes.size() <= 3, "one for each right-hand side");
  const double total = sum_of(mass);
  Vec3 pushed = Vec3::Zero();
  loads_.assign(mass.size(), Vec3::Zero());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    loads_[std::size_t(nodes[i])][int(i)] = 1;
    pushed[int(i)] = whole ? 1 / total : 0;
  }
  for (std::size_t n = 0; n < mass.size(); ++n) loads_[n] -= mass[n] * pushed;
  moves.resize(mass.size());
  factor_.apply(loads_, moves);
  for (std::size_t n = 0; n < mass.size(); ++n) {
    moves[n] /= stiffness_;
    if (whole) pushed -= mass[n] / total * moves[n];
  }
  for (Vec3& move : moves) move += pushed;
}

}  // namespace pliant::galerkin
