#pragma once

#include <array>

#include "body/free_loads.h"
#include "body/nodes.h"
#include "methods/shared/galerkin/elastic.h"

namespace pliant::galerkin {

/// How a free body answers the six loads, linearised at rest.
struct FreeResponse {
  using Work = std::array<double, FreeLoads::count>;
  Work work{};   // [J] of each load
  Work error{};  // [J] twice the part of the constant form (Elastic::form)

  /// Of all work, loads alike.
  double error_share() const {
    double sum = 0;
    for (int l = 0; l < FreeLoads::count; ++l) sum += error[l] / work[l];
    return sum / FreeLoads::count;
  }
};
/// `nodes` at rest; `extent` [m] of the body.
FreeResponse free_response(Elastic& elastic, const Nodes& nodes, double extent,
                           const FreeLoads& loads);

}  // namespace pliant::galerkin
