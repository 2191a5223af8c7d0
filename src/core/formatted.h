#pragma once

#include <cstdio>
#include <string>

namespace pliant {

/// A number as "%.3g" and the like, for lines that people read.
inline std::string formatted(const char* format, double value) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

}  // namespace pliant
