#pragma once

#include <string>
#include <vector>

namespace pliant {

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

}  // namespace pliant
