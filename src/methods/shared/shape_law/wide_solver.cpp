#include "methods/shared/shape_law/wide_solver.h"

#include <algorithm>
#include <atomic>

#include "core/parallel.h"

namespace pliant::shape_law {
namespace {

/// Batches per chunk of work, for a colour with `count` batches. Handing out a chunk costs about a
/// third of a microsecond, as much as 16 groups: small colours are not cut at all, larger ones into
/// chunks of a few microseconds.
int batches_per_chunk(int count, int lanes) {
  const int groups = count * lanes;
  const int chunks = std::max({1, std::min(groups / 48, 4), groups / 192});
  return std::max(1, (count + chunks - 1) / chunks);  // a colour may be empty
}

/// Sixteen lanes pay, by a few percent, where groups are cells and fill them. Larger groups leave
/// registers and are as fast or faster eight side by side (27 members: by a tenth, clouds and cut
/// cells by a quarter), and half-empty batches cost as much as full ones: `pliant bench groups`,
/// PLIANT_SIMD=avx2 to compare.
WideBatches batches_that_pay(const Shapes& shapes, const std::vector<Vec3>& points,
                             const std::vector<Eigen::Vector3i>& cell) {
  constexpr int small = 8;         // members
  constexpr double filled = 0.95;  // of the lanes
  bool all_small = true;
  for (int g = 0; g < shapes.size(); ++g)
    all_small = all_small && int(shapes.members(g).size()) <= small;
  if (all_small || narrow_lanes() == wide_lanes()) {
    WideBatches batches = build_batches(shapes, points, cell, wide_lanes());
    if (narrow_lanes() == wide_lanes() || batches.lane_fill() > filled) return batches;
  }
  return build_batches(shapes, points, cell, narrow_lanes());
}

}  // namespace

WideSolver::WideSolver(const Shapes& shapes, const std::vector<Vec3>& points,
                       const std::vector<Eigen::Vector3i>& cell, bool keep_multipliers, int lanes)
    : batches_(lanes > 0 ? build_batches(shapes, points, cell, lanes)
                         : batches_that_pay(shapes, points, cell)) {
  // The last slots are held and stay at zero.
  nodes_.assign(std::size_t(NodeFloats::per_node) * std::size_t(batches_.slots), 0);
  if (keep_multipliers) multipliers_size_ = batches_.batch.size() * std::size_t(2 * batches_.lanes);
  multipliers_.assign(multipliers_size_, 0);
  floats_.length = batches_.length;
  floats_.mass = batches_.mass;
}

void WideSolver::begin(const Shapes& shapes, const Nodes& nodes) {
  floats_.data = nodes_.data();  // not sooner: the solver may have been moved
  floats_.slot = batches_.slot.data();
  floats_.origin = float_origin(nodes.position, batches_.length);
  std::fill_n(multipliers_.data(), multipliers_size_, 0.0f);
  holds_changed_ = held_ != nodes.held;
  if (!holds_changed_) return;
  held_ = nodes.held;
  fill_answers(shapes, nodes.mass, held_, batches_);
}

SweepTrouble WideSolver::sweep(int iterations, bool filter_each) {
  float* multipliers = multipliers_size_ > 0 ? multipliers_.data() : nullptr;
  std::atomic<int> collapsed = 0, skipped = 0;
  for (int i = 0; i < iterations; ++i)
    for (int color = 0; color < batches_.colors(); ++color) {
      const bool filtering = filter_each || i + 1 == iterations;
      const int first = batches_.start[color], count = batches_.start[color + 1] - first;
      parallel_for(count, batches_per_chunk(count, batches_.lanes), [&](int begin, int end) {
        const SweepTrouble trouble = sweep_batches(batches_, first + begin, first + end, filtering,
                                                   nodes_.data(), multipliers);
        if (trouble.collapsed > 0) collapsed += trouble.collapsed;
        if (trouble.skipped > 0) skipped += trouble.skipped;
      });
    }
  return {collapsed, skipped};
}

}  // namespace pliant::shape_law
