#include "methods/tets/wide_solver.h"

#include <algorithm>
#include <atomic>

#include "core/parallel.h"

namespace pliant::tets {
namespace {

/// Batches per chunk of work, for a colour with `count` batches. Handing out a chunk costs about a
/// third of a microsecond, as much as 40 tets: small colours are not cut at all, larger ones into
/// up to four, and then into chunks of three to four microseconds.
int batches_per_chunk(int count, int tets_per_batch) {
  const int tets = count * tets_per_batch;
  const int chunks = std::max({1, std::min(tets / 128, 4), tets / 512});
  return (count + chunks - 1) / chunks;
}

constexpr std::size_t stride = NodeFloats::per_node;

}  // namespace

WideSolver::WideSolver(WideBatches batches, bool keep_multipliers) : batches_(std::move(batches)) {
  nodes_.assign(stride * std::size_t(batches_.slots), 0);
  // The last eight slots belong to the filling: corners of a unit cube that are held.
  for (int k = 0; k < 8; ++k) {
    float* filling = nodes_.data() + stride * std::size_t(batches_.slots - 8 + k);
    const int corner = batches_.corners == 8 ? k : (1 << k) / 2;  // four: 0, 1, 2, 4
    for (int axis = 0; axis < 3; ++axis) filling[axis] = float(corner >> axis & 1);
  }
  if (keep_multipliers)
    multipliers_size_ = std::size_t(batches_.batches() * batches_.tets * 2 * batches_.lanes);
  multipliers_.assign(multipliers_size_, 0);
  floats_.length = batches_.length;
  floats_.mass = batches_.mass;
}

void WideSolver::begin(const std::vector<Vec3>& position) {
  floats_.data = nodes_.data();  // not sooner: the solver may have been moved
  floats_.slot = batches_.slot.data();
  floats_.origin = float_origin(position, batches_.length);
  std::fill_n(multipliers_.data(), multipliers_size_, 0.0f);
}

SweepTrouble WideSolver::sweep() {
  float* multipliers = multipliers_size_ > 0 ? multipliers_.data() : nullptr;
  std::atomic<int> collapsed = 0, skipped = 0;
  for (int color = 0; color < batches_.colors(); ++color) {
    const int first = batches_.start[color], count = batches_.start[color + 1] - first;
    const int grain = batches_per_chunk(count, batches_.lanes * batches_.tets);
    parallel_for(count, grain, [&](int begin, int end) {
      const SweepTrouble trouble =
          sweep_batches(batches_, first + begin, first + end, nodes_.data(), multipliers);
      if (trouble.collapsed > 0) collapsed += trouble.collapsed;
      if (trouble.skipped > 0) skipped += trouble.skipped;
    });
  }
  return {collapsed, skipped};
}

}  // namespace pliant::tets
