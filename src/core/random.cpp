#include "core/random.h"

#include "core/hash.h"

namespace pliant {

std::uint64_t random_bits(std::uint64_t seed, std::uint64_t counter) {
  Hash hash;
  hash.add(seed);
  hash.add(counter);
  return hash.value();
}

double random_unit(std::uint64_t seed, std::uint64_t counter) {
  return double(random_bits(seed, counter) >> 11) * 0x1p-53;
}

}  // namespace pliant
