#include "core/range.h"

#include <cmath>

#include "core/formatted.h"

namespace pliant {

bool in_range(double value, const Range& range) {
  return value > range.above && value >= range.at_least && value < range.below &&
         value <= range.at_most;
}

std::string allowed(const Range& range) {
  std::string text;
  const auto add = [&](const char* words, double bound) {
    if (std::isfinite(bound)) text += (text.empty() ? "" : " and ") + formatted(words, bound);
  };
  add("above %.16g", range.above);
  add("at least %.16g", range.at_least);
  add("below %.16g", range.below);
  add("at most %.16g", range.at_most);
  return text;
}

}  // namespace pliant
