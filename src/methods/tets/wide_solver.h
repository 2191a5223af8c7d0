#pragma once

#include <atomic>

#include "body/nodes.h"
#include "core/parallel.h"
#include "methods/shared/wide_nodes.h"
#include "methods/tets/wide_project.h"

namespace pliant::tets {

/// A SweepTrouble that threads share.
struct SweepCount {
  std::atomic<int> collapsed = 0, skipped = 0;

  void add(const SweepTrouble& trouble) {
    if (trouble.collapsed > 0) collapsed += trouble.collapsed;
    if (trouble.skipped > 0) skipped += trouble.skipped;
  }
  SweepTrouble sum() const { return {collapsed, skipped}; }
};

/// The fast way to sweep over a body's tets: in floats, many side by side, colour by colour or
/// block by block on all threads. The same bits for any number of threads. Use per substep:
/// `advance`, or `begin`, `load` every node, `sweep` (several times when multipliers are kept),
/// `add_changes`.
class WideSolver {
 public:
  WideSolver(WideBatches batches, bool keep_multipliers);

  const WideBatches& batches() const { return batches_; }

  void set_compliances(const TetElements& elements, const std::vector<Compliance>& compliances,
                       double cap) {
    fill_compliances(elements, compliances, cap, batches_);
  }

  /// Free flight of h seconds and so many sweeps, in one go. Velocities are not written down: they
  /// follow from the ways.
  SweepTrouble advance(Nodes& nodes, double h, const LateVelocities& late, int sweeps);

  /// Forgets multipliers and chooses the place that floats are measured from: near the body, so
  /// that they resolve it equally well wherever it is.
  void begin(const std::vector<Vec3>& position);

  /// Copies position and mobility of the nodes [begin, end) into floats. Threads may share the
  /// nodes.
  void load(const Nodes& nodes, int begin, int end) { load_floats(nodes, begin, end, floats_); }

  SweepTrouble sweep();

  /// Adds to the nodes [begin, end) what the sweeps moved them. Only the change
  /// passes through floats: what does not move keeps its digits.
  void add_changes(Nodes& nodes, int begin, int end) const {
    add_float_changes(floats_, begin, end, nodes.position);
  }

  /// For benchmarks: the floats that sweep_batches() works on.
  float* floats() { return nodes_.data(); }

 private:
  void sweep_part(int run, int begin, int end, SweepCount& count);
  void sweep_blocks(int begin, int end, SweepCount& count);
  void sweep_stage(int stage, int begin, int end, SweepCount& count);

  WideBatches batches_;
  AlignedFloats nodes_;     // see sweep_batches()
  NodeFloats floats_;       // the same, with where and in which units
  std::vector<char> held_;  // nodes, when mobilities were last set
  AlignedFloats multipliers_;
  std::size_t multipliers_size_ = 0;     // 0 = not kept
  std::vector<WorkStage> sweep_stages_;  // colours, or blocks: the first ones and the others
  bool is_shared_ = false;               // threads have something to share
  std::vector<WorkStage> stages_;        // of advance()
};

}  // namespace pliant::tets
