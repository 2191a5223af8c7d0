#pragma once

#include "methods/tets/wide_batches.h"

namespace pliant {

/// What this machine can do with tets: the least work that is still a projection, in a kernel of
/// its own that shares nothing with the production one. One array of float positions, changed in
/// place; one material; nothing is checked, nothing is kept from rounding. Single tets of any
/// shape and volume, or cells that are cubes.
class TetsLimit {
 public:
  /// The same elements side by side in the same order as the batches. `nodes`: what sweep_batches()
  /// works on.
  TetsLimit(const tets::WideBatches& batches, const float* nodes);

  /// One sweep, on this thread.
  void sweep();

 private:
  int tets_ = 1, batches_ = 0;       // tets of an element
  std::vector<std::int32_t> place_;  // [batch][corner][lane] where the node's floats begin
  AlignedFloats rest_;               // [batch][RestRow][lane] of single tets, then 1 / volume
  AlignedFloats nodes_;              // x y z and the inverse mass
};

}  // namespace pliant
