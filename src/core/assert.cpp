#include "core/assert.h"

#include <cstdio>
#include <cstdlib>

namespace pliant {

void assertion_failed(const char* condition, const char* message, const char* file, int line) {
  std::fprintf(stderr, "pliant: internal error: %s (%s), %s:%d\n", message, condition, file, line);
  std::abort();
}

}  // namespace pliant
