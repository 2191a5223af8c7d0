#include "materials/plastic.h"

#include <algorithm>
#include <cmath>

#include "core/assert.h"
#include "math/principal_axes.h"

// Multiplicative split F = F_e F_p with an isochoric F_p; viscoplastic flow of Perzyna's kind,
// linear in the excess, in logarithmic strain, where the return is radial (Simo 1992).

namespace pliant {
namespace {

/// Stretches outside are clamped: logarithms of flattened elements say nothing.
constexpr double smallest_stretch = 0.05, largest_stretch = 20;

struct ShapeStrain {
  Mat3 axes;                   // columns: where the rest vectors are stretched
  Vec3 strain = Vec3::Zero();  // logarithmic, without its mean
  double equivalent = 0;
};

ShapeStrain shape_strain(const Mat3& F) {
  const PrincipalAxes stretch = principal_axes(F.transpose() * F);
  ShapeStrain found{stretch.directions};
  for (int k = 0; k < 3; ++k)
    found.strain[k] = std::log(
        std::clamp(std::sqrt(std::max(stretch.values[k], 0.0)), smallest_stretch, largest_stretch));
  found.strain.array() -= found.strain.mean();
  found.equivalent = std::sqrt(2.0 / 3) * found.strain.norm();
  return found;
}

}  // namespace

void describe(Fields& fields, Plastic& plastic) {
  static const char* const yields[] = {"yield", "yield_strain"};
  fields.exactly_one(yields);
  fields.number("yield", plastic.yield,
                {.unit = "Pa",
                 .at_least = 0,
                 .help = "stress (von Mises) above which it flows; bread dough 300, clay 5e4"});
  fields.number("yield_strain", plastic.yield_strain,
                {.at_least = 0,
                 .at_most = 2,
                 .help = "instead: elastic strain above which it flows; 0.03 = 3 % of stretch"});
  fields.number("flow", plastic.flow,
                {.unit = "1/s",
                 .at_least = 0,
                 .help = "how fast strain beyond the yield becomes permanent, for any frame rate; "
                         "honey-like 1, clay 100"});
  fields.number("hardening", plastic.hardening,
                {.at_least = 0,
                 .help = "by how much the yield rises per plastic strain: in Pa beside \"yield\", "
                         "a number beside \"yield_strain\""});
  fields.number("limit", plastic.limit,
                {.above = 0,
                 .help = "plastic strain up to which it flows; from there on it is elastic",
                 .computed = "none"});
  fields.number("fracture", plastic.fracture,
                {.above = 0,
                 .help = "plastic strain at which it breaks; of clusters",
                 .computed = "it does not break"});
}

PlasticLaw PlasticLaw::from(const Plastic& plastic, double young, double poisson) {
  ASSERT(plastic.yield.has_value() != plastic.yield_strain.has_value(), "exactly one yield");
  const double per_strain = 3 * young / (2 * (1 + poisson));  // [Pa] von Mises per strain: 3 mu
  PlasticLaw law;
  law.yield = plastic.yield ? *plastic.yield / per_strain : *plastic.yield_strain;
  law.hardening = plastic.yield ? plastic.hardening / per_strain : plastic.hardening;
  law.rate = plastic.flow;
  if (plastic.limit) law.limit = *plastic.limit;
  if (plastic.fracture) law.fracture = *plastic.fracture;
  return law;
}

PlasticLaw::Change PlasticLaw::flow(const Mat3& F, double so_far, double dt) const {
  Change change;
  if (!(F.determinant() > 0)) return change;
  const ShapeStrain now = shape_strain(F);
  const double excess = now.equivalent - (yield + hardening * so_far);
  if (!(excess > 0)) return change;
  // d excess/dt = -rate (1 + hardening) excess: elastic strain falls, the yield rises.
  const double share = -std::expm1(-rate * (1 + hardening) * dt);
  const double wanted = share * excess / (1 + hardening);
  const double strain = std::min({wanted, largest_change, limit - so_far});
  if (!(strain > 0)) return change;
  const Vec3 flowed = strain / now.equivalent * now.strain;
  change.strain = strain;
  change.stretch = now.axes * flowed.array().exp().matrix().asDiagonal() * now.axes.transpose();
  change.inverse = now.axes * (-flowed).array().exp().matrix().asDiagonal() * now.axes.transpose();
  return change;
}

double equivalent_strain(const Mat3& F) { return shape_strain(F).equivalent; }

}  // namespace pliant
