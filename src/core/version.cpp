#include "core/version.h"

namespace pliant {

const char* version() { return PLIANT_VERSION; }

const char* compiler() {
#ifdef __clang__
  return "clang " __clang_version__;
#else
  return "gcc " __VERSION__;
#endif
}

}  // namespace pliant
