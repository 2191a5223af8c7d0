// Compiles itself once per instruction set (Highway's foreach_target); the choice is made at run
// time.

#include "core/wide_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "methods/shared/galerkin/bundles.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "methods/shared/galerkin/bundle_kernels-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pliant::galerkin::HWY_NAMESPACE {

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

HWY_EXPORT(sum_answers);

}  // namespace

int Bundles::find_pattern(Pattern&& wanted, std::vector<std::pair<std::uint64_t, int>>& known) {
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

Bundles::Bundles(const Points& points, int nodes) : point_start_(points.bundle) {
  std::vector<std::pair<std::uint64_t, int>> known;
  std::vector<int> members;
  std::vector<int> count(std::size_t(nodes), 0);
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
  answers_.assign(std::size_t(slots) * 4, 0);
  x_.assign(count.size() * 4, 0);
}

void Bundles::take(const std::vector<Vec3>& field) {
  parallel_for(nodes(), 1024, [&](int begin, int end) {
    for (int n = begin; n < end; ++n)
      for (int axis = 0; axis < 3; ++axis) x_[std::size_t(4 * n + axis)] = field[n][axis];
  });
}

Vec3 Bundles::answer(int node) const {
  double total[4];
  HWY_DYNAMIC_DISPATCH(sum_answers)
  (answers_.data(), answer_.data() + answer_start_[node],
   answer_start_[node + 1] - answer_start_[node], total);
  return {total[0], total[1], total[2]};
}

}  // namespace pliant::galerkin
#endif
