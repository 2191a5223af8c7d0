#pragma once

#include "methods/shared/instruction_set.h"
#include "methods/shared/sweep_trouble.h"
#include "methods/tets/wide_batches.h"

namespace pliant::tets {

/// Projects all elements of the batches [begin, end), which must be of one run. `nodes` has
/// eight floats per slot, in the units of `batches`: position, inverse mass, how far it has moved
/// (this grows), and one to fill up. `multipliers`: [batch][tet][2][lane], or null for "zero at the
/// start and not wanted after": one iteration per substep.
SweepTrouble sweep_batches(const WideBatches& batches, int begin, int end, float* nodes,
                           float* multipliers);

/// All runs, on this thread and with nothing around it: for benchmarks.
SweepTrouble sweep_batches(const WideBatches& batches, float* nodes, float* multipliers);

}  // namespace pliant::tets
