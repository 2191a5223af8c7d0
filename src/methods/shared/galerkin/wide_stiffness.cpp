// Read Elastic::multiply first: this is the same product for eight points at once, in floats. The
// file compiles itself once per instruction set (Highway's foreach_target); the choice is made at
// run time.

#include "core/wide_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "methods/shared/galerkin/wide_stiffness.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "methods/shared/galerkin/wide_stiffness.h"

HWY_BEFORE_NAMESPACE();
namespace pliant::galerkin::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using Wide = hn::ScalableTag<float>;
constexpr int lanes = int(hn::MaxLanes(Wide()));
using Eight = hn::CappedTag<float, 8>;  // the points of a bundle side by side
constexpr int eight_lanes = int(hn::MaxLanes(Eight()));
using Four = hn::CappedTag<double, 4>;  // x y z and padding of a node
constexpr int four_lanes = int(hn::MaxLanes(Four()));

constexpr int padded_rows = WideStiffness::padded_rows;
constexpr int row_vectors = (WideStiffness::rows + lanes - 1) / lanes;

/// Positions relative to the bundle's first node, [slot][4] in floats.
HWY_INLINE void gather(const double* x, const int* nodes, int count, float* local) {
  const Four d;
  const hn::Rebind<float, Four> narrow;
  for (int k = 0; k < 4; k += four_lanes) {
    const auto near = hn::LoadU(d, x + 4 * nodes[0] + k);
    for (int s = 0; s < count; ++s)
      hn::StoreU(hn::DemoteTo(narrow, hn::Sub(hn::LoadU(d, x + 4 * nodes[s] + k), near)), narrow,
                 local + 4 * s + k);
  }
}

/// dF of all points: component i, derivative d of point p at change[32 i + 8 d + p].
HWY_INLINE void deform(const float* by_node, int count, const float* local, float* change) {
  const Wide d;
  hn::Vec<Wide> sum[3][row_vectors];
  for (int i = 0; i < 3; ++i)
    for (int v = 0; v < row_vectors; ++v) sum[i][v] = hn::Zero(d);
  for (int s = 0; s < count; ++s) {
    const auto x = hn::Set(d, local[4 * s]);
    const auto y = hn::Set(d, local[4 * s + 1]);
    const auto z = hn::Set(d, local[4 * s + 2]);
    for (int v = 0; v < row_vectors; ++v) {
      const auto g = hn::Load(d, by_node + padded_rows * s + lanes * v);
      sum[0][v] = hn::MulAdd(g, x, sum[0][v]);
      sum[1][v] = hn::MulAdd(g, y, sum[1][v]);
      sum[2][v] = hn::MulAdd(g, z, sum[2][v]);
    }
  }
  for (int i = 0; i < 3; ++i)
    for (int v = 0; v < row_vectors; ++v)
      hn::Store(sum[i][v], d, change + padded_rows * i + lanes * v);
}

/// Where component i, derivative d stands.
HWY_INLINE constexpr int at(int i, int d) { return padded_rows * i + 8 * d; }

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

/// The answer of `vectors` wide vectors of nodes from slot s on, [slot][4].
template <int vectors>
HWY_INLINE void answer_some(const float* by_row, int slots, int s, const float* change,
                            float* answers) {
  const Wide d;
  hn::Vec<Wide> sum[3][vectors];
  for (int i = 0; i < 3; ++i)
    for (int v = 0; v < vectors; ++v) sum[i][v] = hn::Zero(d);
  for (int r = 0; r < WideStiffness::rows; ++r) {
    const auto x = hn::Set(d, change[r]);
    const auto y = hn::Set(d, change[padded_rows + r]);
    const auto z = hn::Set(d, change[2 * padded_rows + r]);
    for (int v = 0; v < vectors; ++v) {
      const auto g = hn::Load(d, by_row + slots * r + s + lanes * v);
      sum[0][v] = hn::MulAdd(g, x, sum[0][v]);
      sum[1][v] = hn::MulAdd(g, y, sum[1][v]);
      sum[2][v] = hn::MulAdd(g, z, sum[2][v]);
    }
  }
  for (int v = 0; v < vectors; ++v)
    hn::StoreInterleaved4(sum[0][v], sum[1][v], sum[2][v], hn::Zero(d), d,
                          answers + 4 * (s + lanes * v));
}

/// The answer of the bundle's nodes. Three vectors at a time: nine sums hide how long one takes.
HWY_INLINE void answer(const float* by_row, int slots, int count, const float* change,
                       float* answers) {
  int left = (count + lanes - 1) / lanes, s = 0;
  for (; left >= 3 && left != 4; left -= 3, s += 3 * lanes)
    answer_some<3>(by_row, slots, s, change, answers);
  for (; left >= 2; left -= 2, s += 2 * lanes) answer_some<2>(by_row, slots, s, change, answers);
  if (left == 1) answer_some<1>(by_row, slots, s, change, answers);
}

}  // namespace

void multiply_bundle(const WideStiffness::Pattern& pattern, const int* nodes, const double* x,
                     const float* tangent, bool rotated, float* answers) {
  HWY_ALIGN float change[3 * padded_rows] = {};
  gather(x, nodes, pattern.count, answers);  // their room is free until the end
  deform(pattern.by_node.data(), pattern.count, answers, change);
  if (rotated) stress_rotated(tangent, change);
  else stress_general(tangent, change);
  answer(pattern.by_row.data(), pattern.slots, pattern.count, change, answers);
}

/// Sums float answers [4] in double, in four sums at a time: one alone would wait for itself.
void sum_answers(const float* answers, const int* which, int count, double* sum) {
  const Four d;
  const hn::Rebind<float, Four> narrow;
  for (int k = 0; k < 4; k += four_lanes) {
    hn::Vec<Four> total[4] = {hn::Zero(d), hn::Zero(d), hn::Zero(d), hn::Zero(d)};
    const auto add = [&](int i, int part) HWY_ATTR {
      const auto answer = hn::LoadU(narrow, answers + 4 * std::size_t(which[i]) + k);
      total[part] = hn::Add(total[part], hn::PromoteTo(d, answer));
    };
    int i = 0;
    for (; i + 4 <= count; i += 4)
      for (int part = 0; part < 4; ++part) add(i + part, part);
    for (; i < count; ++i) add(i, 0);
    hn::StoreU(hn::Add(hn::Add(total[0], total[1]), hn::Add(total[2], total[3])), d, sum + k);
  }
}

}  // namespace pliant::galerkin::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <algorithm>
#include <cmath>

#include "core/assert.h"
#include "core/hash.h"
#include "core/parallel.h"

namespace pliant::galerkin {
namespace {

HWY_EXPORT(multiply_bundle);
HWY_EXPORT(sum_answers);

constexpr int rotated_numbers = 17, general_numbers = 45;

}  // namespace

int WideStiffness::find_pattern(Pattern&& wanted,
                                std::vector<std::pair<std::uint64_t, int>>& known) {
  double scale = 0;
  for (const double g : wanted.exact) scale = std::max(scale, std::abs(g));
  // Equal up to rounding. Where rounding falls on different sides of a step of the key a pattern is
  // kept twice, which does no harm.
  Hash key;
  for (const double g : wanted.exact) key.add(std::uint64_t(std::llround(g / scale * 1e6 + 0.25)));
  for (auto k = std::lower_bound(known.begin(), known.end(), std::pair(key.value(), -1));
       k != known.end() && k->first == key.value(); ++k) {
    const Pattern& other = patterns_[k->second];
    bool same = other.count == wanted.count && other.exact.size() == wanted.exact.size();
    for (std::size_t i = 0; same && i < wanted.exact.size(); ++i)
      same = std::abs(wanted.exact[i] - other.exact[i]) < 1e-9 * scale;
    if (same) return k->second;
  }
  wanted.by_node.assign(std::size_t(wanted.slots) * padded_rows, 0);
  wanted.by_row.assign(std::size_t(wanted.slots) * rows, 0);
  for (int s = 0; s < wanted.slots; ++s)
    for (int r = 0; r < rows; ++r) {
      const float g = float(wanted.exact[std::size_t(rows) * s + r]);
      wanted.by_node.data()[padded_rows * s + r] = g;
      wanted.by_row.data()[wanted.slots * r + s] = g;
    }
  const int number = int(patterns_.size());
  const std::pair entry(key.value(), number);
  known.insert(std::lower_bound(known.begin(), known.end(), entry), entry);
  patterns_.push_back(std::move(wanted));
  return number;
}

WideStiffness::WideStiffness(const Elastic& elastic) : point_start_(elastic.points().bundle) {
  const Points& points = elastic.points();
  rotated_ = true;
  for (int p = 0; p < points.size(); ++p)
    rotated_ = rotated_ && elastic.law(p).kind == Law::Kind::corotated;

  std::vector<std::pair<std::uint64_t, int>> known;
  std::vector<int> members;
  std::vector<int> count(std::size_t(elastic.nodes()), 0);
  int slots = 0;
  for (std::size_t b = 0; b + 1 < point_start_.size(); ++b) {
    const int first = point_start_[b], last = point_start_[b + 1];
    ASSERT(last - first <= points_per_bundle, "at most eight points in a bundle");
    members.assign(points.node.begin() + points.start[first],
                   points.node.begin() + points.start[last]);
    std::sort(members.begin(), members.end());
    members.erase(std::unique(members.begin(), members.end()), members.end());
    Pattern pattern;
    pattern.count = int(members.size());
    pattern.slots = (pattern.count + 15) / 16 * 16;
    pattern.exact.assign(std::size_t(pattern.slots) * rows, 0);
    for (int p = first; p < last; ++p)
      for (int k = points.start[p]; k < points.start[p + 1]; ++k) {
        const auto s =
            std::lower_bound(members.begin(), members.end(), points.node[k]) - members.begin();
        for (int d = 0; d < 3; ++d)
          pattern.exact[std::size_t(rows * s + 8 * d + p - first)] = points.gradient[k][d];
      }
    Bundle bundle;
    bundle.node_start = int(nodes_.size());
    bundle.answer_start = slots;
    for (const int n : members) ++count[n];
    slots += pattern.slots;
    nodes_.insert(nodes_.end(), members.begin(), members.end());
    bundle.pattern = find_pattern(std::move(pattern), known);
    bundles_.push_back(bundle);
  }
  for (Pattern& pattern : patterns_) pattern.exact = {};

  answer_start_.assign(count.size() + 1, 0);
  for (std::size_t n = 0; n < count.size(); ++n) answer_start_[n + 1] = answer_start_[n] + count[n];
  answer_.resize(std::size_t(answer_start_.back()));
  std::vector<int> next(answer_start_.begin(), answer_start_.end() - 1);
  for (const Bundle& bundle : bundles_)
    for (int s = 0; s < patterns_[bundle.pattern].count; ++s)
      answer_[next[nodes_[bundle.node_start + s]]++] = bundle.answer_start + s;
  tangents_.assign(bundles_.size() * 8 * (rotated_ ? rotated_numbers : general_numbers), 0);
  answers_.assign(std::size_t(slots) * 4, 0);
  x_.assign(count.size() * 4, 0);
}

void WideStiffness::set_tangents(const Elastic& elastic) {
  const int numbers = rotated_ ? rotated_numbers : general_numbers;
  parallel_for(bundles(), 8, [&](int begin, int end) {
    for (int b = begin; b < end; ++b) {
      float* to = tangents_.data() + std::size_t(8 * numbers) * b;
      for (int p = point_start_[b]; p < point_start_[b + 1]; ++p, ++to) {
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
  const int nodes = int(answer_start_.size()) - 1;
  parallel_for(nodes, 1024, [&](int begin, int end) {
    for (int n = begin; n < end; ++n)
      for (int axis = 0; axis < 3; ++axis) x_[std::size_t(4 * n + axis)] = x[n][axis];
  });
  const int numbers = rotated_ ? rotated_numbers : general_numbers;
  const auto bundle_product = HWY_DYNAMIC_DISPATCH(multiply_bundle);
  parallel_for(bundles(), 32, [&](int begin, int end) {
    for (int b = begin; b < end; ++b) {
      const Bundle& bundle = bundles_[b];
      const Pattern& pattern = patterns_[bundle.pattern];
      bundle_product(pattern, nodes_.data() + bundle.node_start, x_.data(),
                     tangents_.data() + std::size_t(8 * numbers) * b, rotated_,
                     answers_.data() + 4 * std::size_t(bundle.answer_start));
    }
  });
}

Vec3 WideStiffness::answer(int node) const {
  double total[4];
  HWY_DYNAMIC_DISPATCH(sum_answers)
  (answers_.data(), answer_.data() + answer_start_[node],
   answer_start_[node + 1] - answer_start_[node], total);
  return {total[0], total[1], total[2]};
}

void WideStiffness::multiply(const std::vector<Vec3>& x, std::vector<Vec3>& y) {
  multiply_bundles(x);
  parallel_for(int(y.size()), 256, [&](int begin, int end) {
    for (int n = begin; n < end; ++n) y[n] = answer(n);
  });
}

void WideStiffness::multiply(const std::vector<Vec3>& x, const std::vector<double>& mass,
                             double factor, const std::vector<char>& held, std::vector<Vec3>& y) {
  multiply_bundles(x);
  parallel_for(int(y.size()), 256, [&](int begin, int end) {
    for (int n = begin; n < end; ++n) {
      if (held[n]) y[n].setZero();
      else y[n] = mass[n] * x[n] + factor * answer(n);
    }
  });
}

}  // namespace pliant::galerkin
#endif
