// Read Law and materials/log_neo_hookean.cpp first: this is the same for eight points at once, in
// floats. The file compiles itself once per instruction set (Highway's foreach_target); the choice
// is made at run time.
//
// With G = F - 1 the parts of the energy are, without differences of like numbers,
//   J - 1      = tr G + tr cof G + det G
//   cof F      = 1 + tr G - G^T + cof G
//   F - cof F  = G + G^T - tr G - cof G
//   F:F - 3    = 2 (J - 1) + G:G - 2 tr cof G - 2 det G

#include <algorithm>
#include <cstdint>

#include "core/wide_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "methods/shared/galerkin/wide_elastic.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

// clang-format off: it would come before foreach_target.h, which chooses what it is compiled for
#include <hwy/contrib/math/math-inl.h>
// clang-format on

#include "methods/shared/galerkin/bundle_kernels-inl.h"
#include "methods/shared/galerkin/wide_elastic.h"

HWY_BEFORE_NAMESPACE();
namespace pliant::galerkin::HWY_NAMESPACE {
namespace {

using V = hn::Vec<Eight>;

/// Numbers of a point's tangent.
constexpr int second_number = 9, first_number = 10;

HWY_INLINE void cofactor(const V (&F)[3][3], V (&C)[3][3]) {
  for (int i = 0; i < 3; ++i)
    for (int d = 0; d < 3; ++d) {
      const int a = (i + 1) % 3, b = (i + 2) % 3, e = (d + 1) % 3, g = (d + 2) % 3;
      C[i][d] = hn::MulSub(F[a][e], F[b][g], hn::Mul(F[a][g], F[b][e]));
    }
}

/// y - ln(1 + y): where y is small its series, as the difference would be rounding.
HWY_INLINE V beyond_logarithm(V y) {
  const Eight e;
  V series = hn::Set(e, 1.0f / 12);
  for (int k = 11; k >= 2; --k) series = hn::NegMulAdd(y, series, hn::Set(e, 1.0f / float(k)));
  series = hn::Mul(hn::Mul(y, y), series);
  return hn::IfThenElse(hn::Lt(hn::Abs(y), hn::Set(e, 0.3f)), series, hn::Sub(y, hn::Log1p(e, y)));
}

/// ln J as LogNeoHookean continues it, from y = J - 1.
struct Logarithm {
  V value, first, second;  // with its derivatives
  V beyond, one_less;      // y - value, 1 - first
};
HWY_INLINE Logarithm logarithm(V y) {
  const Eight e;
  constexpr float from = float(LogNeoHookean::barrier_J);
  const V one = hn::Set(e, 1.0f), barrier = hn::Set(e, from);
  const V kept = hn::Max(y, hn::Set(e, from - 1));
  const auto is_behind = hn::Lt(y, kept);
  Logarithm log;
  const V beyond = beyond_logarithm(kept), first = hn::Div(one, hn::Add(one, kept));
  log.second = hn::Neg(hn::Mul(first, first));
  const V t = hn::Div(hn::Sub(y, kept), barrier);  // 0 in front of the barrier
  log.value = hn::Add(hn::Sub(kept, beyond), hn::NegMulAdd(hn::Mul(hn::Set(e, 0.5f), t), t, t));
  log.first = hn::Sub(first, hn::Div(t, barrier));
  log.beyond = hn::IfThenElse(is_behind, hn::Sub(y, log.value), beyond);
  log.one_less = hn::IfThenElse(is_behind, hn::Sub(one, log.first), hn::Mul(y, first));
  return log;
}

/// sqrt of a bound of the largest eigenvalue of F^T F = 1 + C.
HWY_INLINE V largest_stretch(const V (&G)[3][3]) {
  const Eight e;
  V C[3][3];
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j) {
      V sum = hn::Add(G[i][j], G[j][i]);
      for (int k = 0; k < 3; ++k) sum = hn::MulAdd(G[k][i], G[k][j], sum);
      C[i][j] = sum;
    }
  const V mean = hn::Mul(hn::Set(e, 1.0f / 3), hn::Add(C[0][0], hn::Add(C[1][1], C[2][2])));
  V squares = hn::Zero(e);
  for (int i = 0; i < 3; ++i) {
    const V off = hn::Sub(C[i][i], mean);
    squares = hn::MulAdd(off, off, squares);
    for (int j = i + 1; j < 3; ++j)
      squares = hn::MulAdd(hn::Add(C[i][j], C[i][j]), C[i][j], squares);
  }
  const V spread = hn::Sqrt(hn::Mul(hn::Set(e, 1.0f / 6), squares));
  const V most = hn::Add(hn::Add(hn::Set(e, 1.0f), mean), hn::Add(spread, spread));
  return hn::Sqrt(hn::Max(most, hn::Set(e, 1e-12f)));
}

/// From the gradients in `change` to stresses there, energy and least J; fills the tangents.
HWY_INLINE void stress(const float* moduli, bool logarithmic, float* tangent, float* change,
                       float* energy, float* least_J) {
  const Eight e;
  V total = hn::Zero(e), least = hn::Set(e, 1e30f);
  for (int p = 0; p < 8; p += eight_lanes) {
    V G[3][3], K[3][3];
    for (int i = 0; i < 3; ++i)
      for (int d = 0; d < 3; ++d) {
        G[i][d] = hn::Load(e, change + at(i, d) + p);
        hn::Store(G[i][d], e, tangent + 8 * (3 * i + d) + p);
      }
    cofactor(G, K);
    const V mu = hn::Load(e, moduli + p), lambda = hn::Load(e, moduli + 8 + p);
    const V trace = hn::Add(G[0][0], hn::Add(G[1][1], G[2][2]));
    const V areas = hn::Add(K[0][0], hn::Add(K[1][1], K[2][2]));
    const V det =
        hn::MulAdd(G[0][0], K[0][0], hn::MulAdd(G[0][1], K[0][1], hn::Mul(G[0][2], K[0][2])));
    const V grown = hn::Add(trace, hn::Add(areas, det));  // J - 1
    least = hn::Min(least, grown);

    // With g(J) the part of the energy that is not mu/2 F:F: `lifted` = g' + mu, `second` = g''.
    V lifted, second, volumetric;
    if (logarithmic) {
      const Logarithm log = logarithm(grown);
      const V slope = hn::MulSub(lambda, log.value, mu);
      lifted = hn::MulAdd(hn::Mul(lambda, log.value), log.first, hn::Mul(mu, log.one_less));
      second = hn::MulAdd(hn::Mul(lambda, log.first), log.first, hn::Mul(slope, log.second));
      volumetric =
          hn::MulAdd(mu, log.beyond,
                     hn::Mul(hn::Mul(hn::Set(e, 0.5f), lambda), hn::Mul(log.value, log.value)));
    } else {
      lifted = hn::Mul(lambda, grown);
      second = lambda;
      volumetric = hn::Mul(hn::Mul(hn::Set(e, 0.5f), lambda), hn::Mul(grown, grown));
    }
    V shape = hn::Zero(e);
    for (int i = 0; i < 3; ++i)
      for (int d = 0; d < 3; ++d) shape = hn::MulAdd(G[i][d], G[i][d], shape);
    const V two = hn::Set(e, 2.0f);
    shape = hn::NegMulAdd(two, hn::Add(areas, det), shape);
    total = hn::Add(total, hn::MulAdd(hn::Mul(hn::Set(e, 0.5f), mu), shape, volumetric));

    const V most = hn::Div(mu, largest_stretch(G));
    const V first = hn::Sub(lifted, mu);
    hn::Store(hn::Max(second, hn::Zero(e)), e, tangent + 8 * second_number + p);
    hn::Store(hn::Max(hn::Neg(most), hn::Min(first, most)), e, tangent + 8 * first_number + p);

    for (int i = 0; i < 3; ++i)
      for (int d = 0; d < 3; ++d) {
        V cof = hn::Sub(K[i][d], G[d][i]);
        V difference = hn::Sub(hn::Add(G[i][d], G[d][i]), K[i][d]);  // F - cof F
        if (i == d) {
          cof = hn::Add(cof, hn::Add(hn::Set(e, 1.0f), trace));
          difference = hn::Sub(difference, trace);
        }
        hn::Store(hn::MulAdd(mu, difference, hn::Mul(lifted, cof)), e, change + at(i, d) + p);
      }
  }
  *energy = hn::GetLane(hn::SumOfLanes(e, total));
  *least_J = 1 + hn::GetLane(hn::MinOfLanes(e, least));
}

HWY_INLINE hn::Vec<Wide> load_steps(const std::int16_t* from) {
  const hn::Rebind<std::int16_t, Wide> narrow;
  const hn::Rebind<std::int32_t, Wide> whole;
  return hn::ConvertTo(Wide(), hn::PromoteTo(whole, hn::LoadU(narrow, from)));
}

HWY_INLINE void scale_rows(float step, float* change) {
  const Wide d;
  for (int k = 0; k < 3 * padded_rows; k += lanes)
    hn::Store(hn::Mul(hn::Set(d, step), hn::Load(d, change + k)), d, change + k);
}

/// As deform(), in steps of the gradients, [row][slot]; `local` is [slot][4], zero from the last
/// node on.
HWY_INLINE void deform_by_rows(const std::int16_t* gradients, int slots, const float* local,
                               float* change) {
  const Wide d;
  constexpr int most = 64 / lanes > 0 ? 64 / lanes : 1;  // vectors of slots at a time
  for (int from = 0; from < slots; from += lanes * most) {
    const int vectors = std::min(most, (slots - from) / lanes);
    hn::Vec<Wide> x[most], y[most], z[most], w;
    for (int v = 0; v < vectors; ++v)
      hn::LoadInterleaved4(d, local + 4 * (from + lanes * v), x[v], y[v], z[v], w);
    for (int r = 0; r < Bundles::rows; ++r) {
      auto sx = hn::Zero(d), sy = sx, sz = sx;
      for (int v = 0; v < vectors; ++v) {
        const auto g = load_steps(gradients + slots * r + from + lanes * v);
        sx = hn::MulAdd(g, x[v], sx);
        sy = hn::MulAdd(g, y[v], sy);
        sz = hn::MulAdd(g, z[v], sz);
      }
      change[r] += hn::GetLane(hn::SumOfLanes(d, sx));
      change[padded_rows + r] += hn::GetLane(hn::SumOfLanes(d, sy));
      change[2 * padded_rows + r] += hn::GetLane(hn::SumOfLanes(d, sz));
    }
  }
}

/// As answer().
HWY_INLINE void answer_by_rows(const std::int16_t* gradients, int slots, const float* change,
                               float* answers) {
  const Wide d;
  for (int s = 0; s < slots; s += 2 * lanes) {
    const bool two = s + lanes < slots;
    hn::Vec<Wide> sum[2][3];
    for (auto& row : sum)
      for (auto& v : row) v = hn::Zero(d);
    for (int r = 0; r < Bundles::rows; ++r) {
      const auto x = hn::Set(d, change[r]), y = hn::Set(d, change[padded_rows + r]),
                 z = hn::Set(d, change[2 * padded_rows + r]);
      const auto first = load_steps(gradients + slots * r + s);
      const auto second = two ? load_steps(gradients + slots * r + s + lanes) : hn::Zero(d);
      sum[0][0] = hn::MulAdd(first, x, sum[0][0]);
      sum[0][1] = hn::MulAdd(first, y, sum[0][1]);
      sum[0][2] = hn::MulAdd(first, z, sum[0][2]);
      sum[1][0] = hn::MulAdd(second, x, sum[1][0]);
      sum[1][1] = hn::MulAdd(second, y, sum[1][1]);
      sum[1][2] = hn::MulAdd(second, z, sum[1][2]);
    }
    hn::StoreInterleaved4(sum[0][0], sum[0][1], sum[0][2], hn::Zero(d), d, answers + 4 * s);
    if (two)
      hn::StoreInterleaved4(sum[1][0], sum[1][1], sum[1][2], hn::Zero(d), d,
                            answers + 4 * (s + lanes));
  }
}

/// dP = mu dF + second (cof : dF) cof + first dcof[dF]. In place.
HWY_INLINE void stress_change(const float* moduli, const float* tangent, float* change) {
  const Eight e;
  for (int p = 0; p < 8; p += eight_lanes) {
    V F[3][3], D[3][3], C[3][3];
    for (int i = 0; i < 3; ++i)
      for (int d = 0; d < 3; ++d) {
        F[i][d] = hn::Load(e, tangent + 8 * (3 * i + d) + p);
        if (i == d) F[i][d] = hn::Add(F[i][d], hn::Set(e, 1.0f));
        D[i][d] = hn::Load(e, change + at(i, d) + p);
      }
    cofactor(F, C);
    const V mu = hn::Load(e, moduli + p);
    const V first = hn::Load(e, tangent + 8 * first_number + p);
    V along = hn::Zero(e);
    for (int i = 0; i < 3; ++i)
      for (int d = 0; d < 3; ++d) along = hn::MulAdd(C[i][d], D[i][d], along);
    along = hn::Mul(along, hn::Load(e, tangent + 8 * second_number + p));
    for (int i = 0; i < 3; ++i)
      for (int d = 0; d < 3; ++d) {
        const int a = (i + 1) % 3, b = (i + 2) % 3, k = (d + 1) % 3, g = (d + 2) % 3;
        const V turned = hn::Sub(hn::MulAdd(D[a][k], F[b][g], hn::Mul(F[a][k], D[b][g])),
                                 hn::MulAdd(D[a][g], F[b][k], hn::Mul(F[a][g], D[b][k])));
        hn::Store(hn::MulAdd(mu, D[i][d], hn::MulAdd(along, C[i][d], hn::Mul(first, turned))), e,
                  change + at(i, d) + p);
      }
  }
}

}  // namespace

void update_bundle(const Bundles::Pattern& pattern, const int* nodes, const double* x,
                   const float* moduli, bool logarithmic, float* tangent, float* answers,
                   float* energy, float* least_J) {
  HWY_ALIGN float change[3 * padded_rows] = {};
  gather(x, nodes, pattern.count, answers);  // their room is free until the end
  deform(pattern.by_node.data(), pattern.count, answers, change);
  stress(moduli, logarithmic, tangent, change, energy, least_J);
  answer(pattern.by_row.data(), pattern.slots, pattern.count, change, answers);
}

void elastic_product(const Bundles::Pattern& pattern, const int* nodes, const double* x,
                     const float* moduli, const float* tangent, float* answers) {
  HWY_ALIGN float change[3 * padded_rows] = {};
  gather(x, nodes, pattern.count, answers);
  deform(pattern.by_node.data(), pattern.count, answers, change);
  stress_change(moduli, tangent, change);
  answer(pattern.by_row.data(), pattern.slots, pattern.count, change, answers);
}

/// The same two with rough gradients, [row][slot] for both ways.
void update_roughly(const std::int16_t* gradients, float step, int count, int slots,
                    const int* nodes, const double* x, const float* moduli, bool logarithmic,
                    float* tangent, float* answers, float* energy, float* least_J) {
  HWY_ALIGN float change[3 * padded_rows] = {};
  gather(x, nodes, count, answers);
  std::fill(answers + 4 * count, answers + 4 * slots, 0.0f);
  deform_by_rows(gradients, slots, answers, change);
  scale_rows(step, change);
  stress(moduli, logarithmic, tangent, change, energy, least_J);
  scale_rows(step, change);
  answer_by_rows(gradients, slots, change, answers);
}

void rough_product(const std::int16_t* gradients, float step, int count, int slots,
                   const int* nodes, const double* x, const float* moduli, const float* tangent,
                   float* answers) {
  HWY_ALIGN float change[3 * padded_rows] = {};
  gather(x, nodes, count, answers);
  std::fill(answers + 4 * count, answers + 4 * slots, 0.0f);
  deform_by_rows(gradients, slots, answers, change);
  scale_rows(step, change);
  stress_change(moduli, tangent, change);
  scale_rows(step, change);
  answer_by_rows(gradients, slots, change, answers);
}

}  // namespace pliant::galerkin::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <Eigen/Geometry>
#include <cmath>

#include "core/assert.h"
#include "core/parallel.h"

namespace pliant::galerkin {
namespace {

HWY_EXPORT(update_bundle);
HWY_EXPORT(elastic_product);
HWY_EXPORT(rough_product);
HWY_EXPORT(update_roughly);

constexpr int modulus_numbers = 2, tangent_numbers = 11, second_number_of_point = 9;
constexpr int bundle_grain = 16, node_grain = 128;

/// A bound of the largest eigenvalue of A^T A, exact where two of them are alike.
double largest_square(const Mat3& A) {
  const Mat3 C = A.transpose() * A;
  const double mean = C.trace() / 3;
  const double spread = (C - mean * Mat3::Identity()).norm() / std::sqrt(6.0);
  return mean + 2 * spread;
}

}  // namespace

WideElastic::WideElastic(const Elastic& elastic)
    : bundles_(elastic.points(), elastic.nodes()), form_(elastic.form()) {
  const auto count = std::size_t(bundles_.size());
  moduli_.assign(count * 8 * modulus_numbers, 0);
  tangents_.assign(count * 8 * tangent_numbers, 0);
  energy_.assign(count, 0);
  least_J_.assign(count, 1);
  make_rough();
  logarithmic_ = elastic.law(0).kind == Law::Kind::log_neo_hookean;
  for (int b = 0; b < bundles_.size(); ++b) {
    float* to = moduli_.data() + std::size_t(8 * modulus_numbers) * b;
    for (int p = bundles_.first_point(b); p < bundles_.first_point(b + 1); ++p, ++to) {
      const Law& law = elastic.law(p);
      ASSERT(law.is_neo_hookean() && law.kind == elastic.law(0).kind, "one kind of law");
      const double volume = elastic.points().volume[p];
      to[0] = float(volume * law.mu);
      to[8] = float(volume * (logarithmic_ ? law.lambda : law.pressure(1).second));
    }
  }
}

/// Rounded so that they still sum to zero: what moves as a whole is not strained, and inner forces
/// have no sum.
void WideElastic::make_rough() {
  rough_.assign(std::size_t(bundles_.patterns()), {});
  for (int b = 0; b < bundles_.size(); ++b) {
    const Bundles::Pattern& pattern = bundles_.pattern(b);
    Rough& rough = rough_[std::size_t(bundles_.pattern_of(b))];
    if (rough.step > 0) continue;
    const float* exact = pattern.by_row.data();
    const std::size_t count = std::size_t(pattern.slots) * Bundles::rows;
    float largest = 1e-30f;
    for (std::size_t i = 0; i < count; ++i) largest = std::max(largest, std::abs(exact[i]));
    rough.start = steps_.size();
    rough.step = largest / 32000;
    steps_.resize(rough.start + count);
    for (int row = 0; row < Bundles::rows; ++row, exact += pattern.slots) {
      std::int16_t* to = steps_.data() + rough.start + std::ptrdiff_t(pattern.slots) * row;
      int sum = 0, most = 0;
      for (int s = 0; s < pattern.slots; ++s) {
        to[s] = std::int16_t(std::lround(exact[s] / rough.step));
        sum += to[s];
        if (std::abs(to[s]) > std::abs(to[most])) most = s;
      }
      to[most] = std::int16_t(to[most] - sum);
    }
  }
}

bool WideElastic::is_large() const {
  constexpr std::size_t nearest_cache = 1 << 20;  // bytes
  return 8 * steps_.size() > 2 * nearest_cache;   // as floats, both ways
}

// Of mu dF + g'' (cof : dF) cof + g' dcof[dF]; the last part is at most |g'| times the largest
// stretch.
double WideElastic::stiffest() const {
  return parallel_max(bundles_.size(), bundle_grain, 2, [&](int begin, int end) {
    double most = 2;
    for (int b = begin; b < end; ++b) {
      const float* moduli = moduli_.data() + std::size_t(8 * modulus_numbers) * b;
      const float* tangent = tangents_.data() + std::size_t(8 * tangent_numbers) * b;
      for (int p = 0; p < bundles_.first_point(b + 1) - bundles_.first_point(b); ++p) {
        Mat3 F;
        for (int k = 0; k < 9; ++k) F(k / 3, k % 3) = double(tangent[8 * k + p]);
        F.diagonal().array() += 1;
        Mat3 cofactor;
        for (int k = 0; k < 3; ++k) cofactor.col(k) = F.col((k + 1) % 3).cross(F.col((k + 2) % 3));
        const double mu = double(moduli[p]), lambda = double(moduli[8 + p]);
        double first = lambda * (F.determinant() - 1) - mu;
        if (logarithmic_) first = LogNeoHookean{mu, lambda}.pressure(F.determinant()).first;
        const double sideways = std::abs(first) * std::sqrt(largest_square(F));
        const double volumetric =
            double(tangent[8 * second_number_of_point + p]) * largest_square(cofactor);
        most = std::max(most, 1 + std::max(sideways, volumetric) / mu);
      }
    }
    return most;
  });
}

WideElastic::State WideElastic::update(const std::vector<Vec3>& u, std::vector<Vec3>& force,
                                       bool roughly) {
  bundles_.take(u);
  const auto update_one = HWY_DYNAMIC_DISPATCH(update_bundle);
  const auto update_rough = HWY_DYNAMIC_DISPATCH(update_roughly);
  parallel_for(bundles_.size(), bundle_grain, [&](int begin, int end) {
    for (int b = begin; b < end; ++b) {
      const Bundles::Pattern& pattern = bundles_.pattern(b);
      const float* moduli = moduli_.data() + std::size_t(8 * modulus_numbers) * b;
      float* tangent = tangents_.data() + std::size_t(8 * tangent_numbers) * b;
      const Rough& rough = rough_[std::size_t(bundles_.pattern_of(b))];
      if (roughly)
        update_rough(steps_.data() + rough.start, rough.step, pattern.count, pattern.slots,
                     bundles_.nodes_of(b), bundles_.x(), moduli, logarithmic_, tangent,
                     bundles_.answers(b), &energy_[b], &least_J_[b]);
      else
        update_one(pattern, bundles_.nodes_of(b), bundles_.x(), moduli, logarithmic_, tangent,
                   bundles_.answers(b), &energy_[b], &least_J_[b]);
    }
  });
  parallel_for(int(force.size()), node_grain, [&](int begin, int end) {
    for (int n = begin; n < end; ++n) force[n] = bundles_.answer(n);
  });
  State state;
  if (!form_->empty()) {
    state.energy += parallel_sum(int(u.size()), node_grain, [&](int begin, int end) {
      double energy = 0;
      for (int n = begin; n < end; ++n) {
        const Vec3 pull = form_->row(n, u);
        force[n] += pull;
        energy += 0.5 * u[n].dot(pull);
      }
      return energy;
    });
  }
  for (const float energy : energy_) state.energy += double(energy);
  state.least_J = *std::min_element(least_J_.begin(), least_J_.end());
  return state;
}

void WideElastic::multiply(const std::vector<Vec3>& x, const std::vector<double>& mass,
                           double factor, const std::vector<char>& held, bool roughly,
                           std::vector<Vec3>& y) {
  bundles_.take(x);
  const auto product = HWY_DYNAMIC_DISPATCH(elastic_product);
  const auto rough = HWY_DYNAMIC_DISPATCH(rough_product);
  parallel_for(bundles_.size(), bundle_grain, [&](int begin, int end) {
    for (int b = begin; b < end; ++b) {
      const Bundles::Pattern& pattern = bundles_.pattern(b);
      const float* moduli = moduli_.data() + std::size_t(8 * modulus_numbers) * b;
      const float* tangent = tangents_.data() + std::size_t(8 * tangent_numbers) * b;
      const Rough& steps = rough_[std::size_t(bundles_.pattern_of(b))];
      if (roughly)
        rough(steps_.data() + steps.start, steps.step, pattern.count, pattern.slots,
              bundles_.nodes_of(b), bundles_.x(), moduli, tangent, bundles_.answers(b));
      else
        product(pattern, bundles_.nodes_of(b), bundles_.x(), moduli, tangent, bundles_.answers(b));
    }
  });
  parallel_for(int(y.size()), node_grain, [&](int begin, int end) {
    for (int n = begin; n < end; ++n) {
      if (held[n]) y[n].setZero();
      else if (form_->empty()) y[n] = mass[n] * x[n] + factor * bundles_.answer(n);
      else y[n] = mass[n] * x[n] + factor * (bundles_.answer(n) + form_->row(n, x));
    }
  });
}

}  // namespace pliant::galerkin
#endif
