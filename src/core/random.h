#pragma once

#include <cstdint>

namespace pliant {

/// Counter-based random numbers: the value depends only on (seed, counter), so there is no hidden
/// state to save, and threads may draw in any order.
std::uint64_t random_bits(std::uint64_t seed, std::uint64_t counter);

/// Uniform in [0, 1).
double random_unit(std::uint64_t seed, std::uint64_t counter);

}  // namespace pliant
