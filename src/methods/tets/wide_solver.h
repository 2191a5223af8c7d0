#pragma once

#include "body/nodes.h"
#include "methods/shared/wide_nodes.h"
#include "methods/tets/wide_project.h"

namespace pliant::tets {

/// The fast way to sweep over a body's tets: in floats, many side by side, colour by colour on all
/// threads. The same bits for any number of threads. Use per substep: `begin`, `load` every node,
/// `sweep` (several times when multipliers are kept), `add_changes`.
class WideSolver {
 public:
  WideSolver(WideBatches batches, bool keep_multipliers);

  const WideBatches& batches() const { return batches_; }

  void set_compliances(const TetElements& elements, const std::vector<Compliance>& compliances,
                       double cap) {
    fill_compliances(elements, compliances, cap, batches_);
  }

  /// Forgets multipliers and chooses the place that floats are measured from: near the body, so
  /// that they resolve it equally well wherever it is.
  void begin(const std::vector<Vec3>& position);

  /// Copies position and mobility of the nodes [begin, end) into floats. Threads may share the
  /// nodes.
  void load(const Nodes& nodes, int begin, int end) { load_floats(nodes, begin, end, floats_); }
  void fly_and_load(Nodes& nodes, int begin, int end, double h) {
    pliant::fly_and_load(nodes, begin, end, h, floats_);
  }

  SweepTrouble sweep();

  /// Adds to the nodes [begin, end) what the sweeps moved them. Only the change
  /// passes through floats: what does not move keeps its digits.
  void add_changes(Nodes& nodes, int begin, int end) const {
    add_float_changes(floats_, begin, end, nodes);
  }

  /// For benchmarks: the floats that sweep_batches() works on.
  float* floats() { return nodes_.data(); }

 private:
  WideBatches batches_;
  AlignedFloats nodes_;  // see sweep_batches()
  NodeFloats floats_;    // the same, with where and in which units
  AlignedFloats multipliers_;
  std::size_t multipliers_size_ = 0;  // 0 = not kept
};

}  // namespace pliant::tets
