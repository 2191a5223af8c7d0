// Read Elastic::multiply first: this is the same product for eight points at once, in floats. The
// file compiles itself once per instruction set (Highway's foreach_target); the choice is made at
// run time.

#include "core/wide_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "methods/shared/galerkin/wide_stiffness.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "methods/shared/galerkin/bundle_kernels-inl.h"
#include "methods/shared/galerkin/wide_stiffness.h"

HWY_BEFORE_NAMESPACE();
namespace pliant::galerkin::HWY_NAMESPACE {
namespace {

/// Corotated points: dP = R (mu (S + S^T) + lambda tr S + [Q axial(S)]x), S = R^T dF. In place.
HWY_INLINE void stress_rotated(const float* tangent, float* change) {
  const Eight e;
  using V = hn::Vec<Eight>;
  for (int p = 0; p < 8; p += eight_lanes) {
    V R[3][3], F[3][3], S[3][3];
    for (int d = 0; d < 3; ++d)
      for (int i = 0; i < 3; ++i) {
        R[i][d] = hn::Load(e, tangent + 8 * (3 * d + i) + p);
        F[i][d] = hn::Load(e, change + at(i, d) + p);
      }
    const V mu = hn::Load(e, tangent + 8 * 9 + p), lambda = hn::Load(e, tangent + 8 * 10 + p);
    for (int i = 0; i < 3; ++i)
      for (int d = 0; d < 3; ++d)
        S[i][d] =
            hn::MulAdd(R[0][i], F[0][d], hn::MulAdd(R[1][i], F[1][d], hn::Mul(R[2][i], F[2][d])));
    const V pressure = hn::Mul(lambda, hn::Add(S[0][0], hn::Add(S[1][1], S[2][2])));
    // Upper triangle of Q, half of it, at 11: xx xy xz yy yz zz.
    V Q[6];
    for (int k = 0; k < 6; ++k) Q[k] = hn::Load(e, tangent + 8 * (11 + k) + p);
    const V ax = hn::Sub(S[2][1], S[1][2]), ay = hn::Sub(S[0][2], S[2][0]),
            az = hn::Sub(S[1][0], S[0][1]);
    const V twist[3] = {hn::MulAdd(Q[0], ax, hn::MulAdd(Q[1], ay, hn::Mul(Q[2], az))),
                        hn::MulAdd(Q[1], ax, hn::MulAdd(Q[3], ay, hn::Mul(Q[4], az))),
                        hn::MulAdd(Q[2], ax, hn::MulAdd(Q[4], ay, hn::Mul(Q[5], az)))};
    V T[3][3];
    for (int i = 0; i < 3; ++i) {
      T[i][i] = hn::MulAdd(hn::Add(mu, mu), S[i][i], pressure);
      const int d = (i + 1) % 3;  // entry (i, d) of a cross matrix is minus its component 3 - i - d
      const V both = hn::Mul(mu, hn::Add(S[i][d], S[d][i]));
      T[i][d] = hn::Sub(both, twist[3 - i - d]);
      T[d][i] = hn::Add(both, twist[3 - i - d]);
    }
    for (int i = 0; i < 3; ++i)
      for (int d = 0; d < 3; ++d)
        hn::Store(
            hn::MulAdd(R[i][0], T[0][d], hn::MulAdd(R[i][1], T[1][d], hn::Mul(R[i][2], T[2][d]))),
            e, change + at(i, d) + p);
  }
}

/// Any law: the upper triangle of the 9 x 9 stiffness, row by row. In place.
HWY_INLINE void stress_general(const float* tangent, float* change) {
  const Eight e;
  using V = hn::Vec<Eight>;
  for (int p = 0; p < 8; p += eight_lanes) {
    V F[9], P[9];
    for (int a = 0; a < 9; ++a) {
      F[a] = hn::Load(e, change + at(a % 3, a / 3) + p);
      P[a] = hn::Zero(e);
    }
    int number = 0;
    for (int a = 0; a < 9; ++a)
      for (int b = a; b < 9; ++b, ++number) {
        const V c = hn::Load(e, tangent + 8 * number + p);
        P[a] = hn::MulAdd(c, F[b], P[a]);
        if (a != b) P[b] = hn::MulAdd(c, F[a], P[b]);
      }
    for (int a = 0; a < 9; ++a) hn::Store(P[a], e, change + at(a % 3, a / 3) + p);
  }
}

}  // namespace

void multiply_bundle(const Bundles::Pattern& pattern, const int* nodes, const double* x,
                     const float* tangent, bool rotated, float* answers) {
  HWY_ALIGN float change[3 * padded_rows] = {};
  gather(x, nodes, pattern.count, answers);  // their room is free until the end
  deform(pattern.by_node.data(), pattern.count, answers, change);
  if (rotated) stress_rotated(tangent, change);
  else stress_general(tangent, change);
  answer(pattern.by_row.data(), pattern.slots, pattern.count, change, answers);
}

}  // namespace pliant::galerkin::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "core/parallel.h"

namespace pliant::galerkin {
namespace {

HWY_EXPORT(multiply_bundle);

constexpr int rotated_numbers = 17, general_numbers = 45;

}  // namespace

WideStiffness::WideStiffness(const Elastic& elastic)
    : bundles_(elastic.points(), elastic.nodes()), form_(elastic.form()) {
  rotated_ = true;
  for (int p = 0; p < elastic.points().size(); ++p)
    rotated_ = rotated_ && elastic.law(p).kind == Law::Kind::corotated;
  tangents_.assign(
      std::size_t(bundles_.size()) * 8 * (rotated_ ? rotated_numbers : general_numbers), 0);
}

void WideStiffness::set_tangents(const Elastic& elastic) {
  const int numbers = rotated_ ? rotated_numbers : general_numbers;
  parallel_for(bundles_.size(), 8, [&](int begin, int end) {
    for (int b = begin; b < end; ++b) {
      float* to = tangents_.data() + std::size_t(8 * numbers) * b;
      for (int p = bundles_.first_point(b); p < bundles_.first_point(b + 1); ++p, ++to) {
        if (rotated_) {
          const double v = elastic.points().volume[p];
          for (int a = 0; a < 9; ++a) to[8 * a] = float(elastic.rotation(p).data()[a]);
          to[8 * 9] = float(v * elastic.law(p).mu);
          to[8 * 10] = float(v * elastic.law(p).lambda);
          int number = 11;
          for (int a = 0; a < 3; ++a)
            for (int c = a; c < 3; ++c) to[8 * number++] = float(0.5 * v * elastic.twist(p)(a, c));
        } else {
          const Mat9 C = elastic.tangent(p);
          int number = 0;
          for (int a = 0; a < 9; ++a)
            for (int c = a; c < 9; ++c) to[8 * number++] = float(C(a, c));
        }
      }
    }
  });
}

void WideStiffness::multiply_bundles(const std::vector<Vec3>& x) {
  bundles_.take(x);
  const int numbers = rotated_ ? rotated_numbers : general_numbers;
  const auto bundle_product = HWY_DYNAMIC_DISPATCH(multiply_bundle);
  parallel_for(bundles_.size(), 32, [&](int begin, int end) {
    for (int b = begin; b < end; ++b)
      bundle_product(bundles_.pattern(b), bundles_.nodes_of(b), bundles_.x(),
                     tangents_.data() + std::size_t(8 * numbers) * b, rotated_,
                     bundles_.answers(b));
  });
}

void WideStiffness::multiply(const std::vector<Vec3>& x, std::vector<Vec3>& y) {
  multiply_bundles(x);
  parallel_for(int(y.size()), 256, [&](int begin, int end) {
    for (int n = begin; n < end; ++n) y[n] = bundles_.answer(n);
  });
  if (!form_->empty()) form_->add_product(x, 1, y);
}

void WideStiffness::multiply(const std::vector<Vec3>& x, const std::vector<double>& mass,
                             double factor, const std::vector<char>& held, std::vector<Vec3>& y) {
  multiply_bundles(x);
  parallel_for(int(y.size()), 256, [&](int begin, int end) {
    for (int n = begin; n < end; ++n) {
      if (held[n]) y[n].setZero();
      else if (form_->empty()) y[n] = mass[n] * x[n] + factor * bundles_.answer(n);
      else y[n] = mass[n] * x[n] + factor * (bundles_.answer(n) + form_->row(n, x));
    }
  });
}

}  // namespace pliant::galerkin
#endif
