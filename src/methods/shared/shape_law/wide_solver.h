#pragma once

#include "body/nodes.h"
#include "methods/shared/shape_law/wide_project.h"
#include "methods/shared/wide_nodes.h"

namespace pliant::shape_law {

/// The fast way to sweep over a body's groups: in floats, many side by side, colour by colour on
/// all threads. The same bits for any number of threads. Use per substep: `begin`, `load` every
/// node, `sweep`, `add_changes`.
class WideSolver {
 public:
  /// `lanes`: wide_lanes() or narrow_lanes(); 0 = what is faster.
  WideSolver(const Shapes& shapes, const std::vector<Vec3>& points,
             const std::vector<Eigen::Vector3i>& cell, bool keep_multipliers, int lanes = 0);

  const WideBatches& batches() const { return batches_; }

  void set_compliances(const Shapes& shapes, const std::vector<Compliance>& compliances,
                       double cap) {
    fill_compliances(shapes, compliances, cap, batches_);
  }

  /// After arms have changed; compliances must be set again.
  void set_rest(const Shapes& shapes) {
    fill_rest(shapes, batches_);
    held_.clear();  // answers are found anew
  }

  /// Forgets multipliers, chooses the place that floats are measured from, and looks which
  /// particles are held.
  void begin(const Shapes& shapes, const Nodes& nodes);

  /// Copies position and mobility of the nodes [begin, end) into floats. Threads may share the
  /// nodes.
  void load(const Nodes& nodes, int begin, int end) { load_floats(nodes, begin, end, floats_); }
  void fly_and_load(Nodes& nodes, int begin, int end, double h, const LateVelocities& late) {
    pliant::fly_and_load(nodes, begin, end, h, late, holds_changed_, floats_);
  }

  /// The compliant filter acts in the last iteration only; a hard one in each.
  SweepTrouble sweep(int iterations, bool filter_each);

  /// Adds to the nodes [begin, end) what the sweeps moved them. Only the change passes through
  /// floats: what does not move keeps its digits.
  void add_changes(Nodes& nodes, int begin, int end) const {
    add_float_changes(floats_, begin, end, nodes.position);
  }

  /// For benchmarks: the floats that sweep_batches() works on.
  float* floats() { return nodes_.data(); }

 private:
  WideBatches batches_;
  AlignedFloats nodes_;
  NodeFloats floats_;           // the same, with where and in which units
  std::vector<char> held_;      // particles, when mobilities and answers were last set
  bool holds_changed_ = false;  // since the substep before
  AlignedFloats multipliers_;
  std::size_t multipliers_size_ = 0;  // 0 = not kept
};

}  // namespace pliant::shape_law
