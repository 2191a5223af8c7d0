#pragma once

namespace pliant {

/// Prints the broken promise and where it stands, then aborts.
[[noreturn]] void assertion_failed(const char* condition, const char* message, const char* file,
                                   int line);

}  // namespace pliant

/// For programmers' mistakes only, never for bad input. Stays on in release builds: keep it out of
/// the innermost loops.
#define ASSERT(condition, message)                                         \
  do {                                                                     \
    if (!(condition)) [[unlikely]]                                         \
      ::pliant::assertion_failed(#condition, message, __FILE__, __LINE__); \
  } while (false)
