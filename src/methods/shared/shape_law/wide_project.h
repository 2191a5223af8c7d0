#pragma once

#include "methods/shared/instruction_set.h"
#include "methods/shared/shape_law/wide_batches.h"
#include "methods/shared/sweep_trouble.h"

namespace pliant::shape_law {

/// Lanes that batches may have instead of wide_lanes(), if fewer are faster: 8 of 16, the kernel of
/// the next smaller instruction set. wide_lanes() if there is no such choice.
int narrow_lanes();

/// Projects and filters all groups of the batches [begin, end), which must be of one colour.
/// `nodes` has eight floats per slot (see NodeFloats). `multipliers`: [batch][2][lane], or null for
/// "zero at the start and not wanted after": one iteration per substep. `filtering` = false leaves
/// out the filter.
SweepTrouble sweep_batches(const WideBatches& batches, int begin, int end, bool filtering,
                           float* nodes, float* multipliers);

/// All colours, on this thread and with nothing around it: for benchmarks.
SweepTrouble sweep_batches(const WideBatches& batches, float* nodes);

}  // namespace pliant::shape_law
