#pragma once

#include <optional>

#include "body/body.h"

namespace pliant {

/// Of the elastic energy of a body, as it is now: what only keeps its nodes where the field wants
/// them (Measures::error_energy). None where there is no such energy.
std::optional<double> error_share(const Body& body);

/// The same of the work of six smooth loads (body/free_loads.h). Where it is large there are too
/// few nodes for how the solid bends. Needs a body at rest.
std::optional<double> error_share_under_smooth_loads(Body& body);

/// Beyond this share under smooth loads stiffness is off by tens of percent.
constexpr double large_error_share = 0.25;

}  // namespace pliant
