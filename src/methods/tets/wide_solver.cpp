#include "methods/tets/wide_solver.h"

#include <algorithm>

namespace pliant::tets {
namespace {

/// Batches per chunk of work, for a colour with `count` batches. A chunk costs some ten
/// nanoseconds and the change of colours two to four hundred, as much as 100 tets: small colours
/// are not cut at all, larger ones into up to eight, and then into chunks of about a microsecond.
int batches_per_chunk(int count, int tets_per_batch) {
  const int tets = count * tets_per_batch;
  const int chunks = std::max({1, std::min(tets / 128, 8), tets / 256});
  return std::max(1, (count + chunks - 1) / chunks);  // a colour may be empty
}

constexpr int node_grain = 512;  // some microseconds

constexpr std::size_t stride = NodeFloats::per_node;

}  // namespace

WideSolver::WideSolver(WideBatches batches, bool keep_multipliers) : batches_(std::move(batches)) {
  nodes_.assign(stride * std::size_t(batches_.slots), 0);
  // The filling is held: it has no mobility.
  const int first_filling = batches_.slots - filling_nodes * batches_.blocks();
  for (int i = 0; first_filling + i < batches_.slots; ++i) {
    float* filling = nodes_.data() + stride * std::size_t(first_filling + i);
    const int k = i % filling_nodes;
    const int corner = batches_.corners == 8 ? k : (1 << k) / 2;  // four: 0, 1, 2, 4
    for (int axis = 0; axis < 3; ++axis) filling[axis] = float(corner >> axis & 1);
  }
  if (keep_multipliers)
    multipliers_size_ = std::size_t(batches_.batches() * batches_.tets * 2 * batches_.lanes);
  multipliers_.assign(multipliers_size_, 0);
  floats_.length = batches_.length;
  floats_.mass = batches_.mass;
  const int blocks = batches_.blocks(), first = batches_.first_blocks;
  sweep_stages_ = {{first, 1}};
  if (blocks > first) sweep_stages_.push_back({blocks - first, 1});
  if (batches_.colored) sweep_stages_.clear();
  for (int color = 0; batches_.colored && color < batches_.runs(); ++color) {
    const int count = batches_.start[color + 1] - batches_.start[color];
    sweep_stages_.push_back({count, batches_per_chunk(count, batches_.lanes * batches_.tets)});
  }
  is_shared_ = std::any_of(sweep_stages_.begin(), sweep_stages_.end(),
                           [](const WorkStage& stage) { return stage.count > stage.grain; });
}

void WideSolver::begin(const std::vector<Vec3>& position) {
  floats_.data = nodes_.data();  // not sooner: the solver may have been moved
  floats_.slot = batches_.slot.data();
  floats_.origin = float_origin(position, batches_.length);
  std::fill_n(multipliers_.data(), multipliers_size_, 0.0f);
}

void WideSolver::sweep_part(int run, int begin, int end, SweepCount& count) {
  float* multipliers = multipliers_size_ > 0 ? multipliers_.data() : nullptr;
  const int first = batches_.start[run];
  count.add(sweep_batches(batches_, first + begin, first + end, nodes_.data(), multipliers));
}

void WideSolver::sweep_blocks(int begin, int end, SweepCount& count) {
  for (int run = batches_.block[begin]; run < batches_.block[end]; ++run)
    sweep_part(run, 0, batches_.start[run + 1] - batches_.start[run], count);
}

SweepTrouble WideSolver::sweep() {
  SweepCount count;
  parallel_stages(sweep_stages_,
                  [&](int stage, int begin, int end) { sweep_stage(stage, begin, end, count); });
  return count.sum();
}

void WideSolver::sweep_stage(int stage, int begin, int end, SweepCount& count) {
  if (batches_.colored) return sweep_part(stage, begin, end, count);
  const int first = stage == 0 ? 0 : batches_.first_blocks;
  sweep_blocks(first + begin, first + end, count);
}

SweepTrouble WideSolver::advance(Nodes& nodes, double h, const LateVelocities& late, int sweeps) {
  begin(nodes.position);
  const bool holds_changed = held_ != nodes.held;
  if (holds_changed) held_ = nodes.held;
  const int per_sweep = int(sweep_stages_.size()), last = 1 + sweeps * per_sweep;
  stages_.assign(1, {nodes.size(), node_grain});
  for (int i = 0; i < sweeps; ++i)
    stages_.insert(stages_.end(), sweep_stages_.begin(), sweep_stages_.end());
  stages_.push_back(stages_.front());
  // Nothing to share out: every chunk has a beginning and an end that cost, and nodes alone are not
  // worth waking anybody.
  if (threads() == 1 || !is_shared_)
    for (WorkStage& stage : stages_) stage.grain = std::max(1, stage.count);
  SweepCount count;
  parallel_stages(stages_, [&](int stage, int begin, int end) {
    if (stage == 0) fly_and_load(nodes, begin, end, h, late, holds_changed, floats_);
    else if (stage == last) add_float_changes(floats_, begin, end, nodes.previous);
    else sweep_stage((stage - 1) % per_sweep, begin, end, count);
  });
  std::swap(nodes.position, nodes.previous);  // as fly_and_load() leaves them
  return count.sum();
}

}  // namespace pliant::tets
