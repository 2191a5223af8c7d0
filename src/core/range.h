#pragma once

#include <string>

#include "core/fields.h"

namespace pliant {

/// False for what is not a number, too.
bool in_range(double value, const Range& range);

/// "above 0 and at most 0.5"; empty when everything is allowed.
std::string allowed(const Range& range);

}  // namespace pliant
