#pragma once

#include <optional>
#include <string>

#include "methods/shared/galerkin/elastic.h"

namespace pliant {

/// What CHOLMOD, a supernodal Cholesky factorisation over OpenBLAS, takes for a body's stiffness.
struct SupernodalTimes {
  double analyse = 0, factorise = 0, solve = 0;  // [ms]
  double numbers = 0;                            // of the factor
  std::string kernels;                           // what OpenBLAS takes this machine for
};

/// Nothing where its libraries were not there when we were built. Tangents must have been kept.
std::optional<SupernodalTimes> time_supernodal(const galerkin::Elastic& elastic,
                                               const std::vector<char>& held, int threads);

}  // namespace pliant
