#pragma once

#include <string>
#include <vector>

#include "methods/tets/wide_batches.h"

namespace pliant::tets {

/// The instruction sets this machine can run the wide kernel with, best first: "avx512", "avx2",
/// "sse4", "scalar" (one lane).
std::vector<std::string> wide_instruction_sets();
/// The one in use: the best, or what the environment variable PLIANT_SIMD asks for.
std::string wide_instruction_set();
/// Forces one of the above, for tests; "" = back to where it was. Not while a kernel is running,
/// and bodies must be built anew, because their batches have as many lanes as the instruction set.
void force_instruction_set(const std::string& name);
/// Floats side by side in the instruction set in use.
int wide_lanes();

/// What went on in a sweep besides projections.
struct SweepTrouble {
  int collapsed = 0;  // tets with all corners in one point: not moved
  int skipped = 0;    // tets without a finite move: not moved
};

/// Projects all elements of the batches [begin, end), which must be of one colour. `nodes` has
/// eight floats per slot, in the units of `batches`: position, inverse mass, how far it has moved
/// (this grows), and one to fill up. `multipliers`: [batch][tet][2][lane], or null for "zero at the
/// start and not wanted after": one iteration per substep.
SweepTrouble sweep_batches(const WideBatches& batches, int begin, int end, float* nodes,
                           float* multipliers);

/// All colours, on this thread and with nothing around it: for benchmarks.
SweepTrouble sweep_batches(const WideBatches& batches, float* nodes, float* multipliers);

}  // namespace pliant::tets
