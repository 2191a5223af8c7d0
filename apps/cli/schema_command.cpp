#include <fmt/format.h>

#include "commands.h"
#include "scene/schema.h"

namespace pliant::cli {

ExitCode schema(bool reference) {
  fmt::print("{}", reference ? scene_reference() : scene_schema());
  return ExitCode::ok;
}

}  // namespace pliant::cli
