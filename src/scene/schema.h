#pragma once

#include <string>

namespace pliant {

/// JSON Schema (draft 2020-12) of scene files, for editors and other programs. Unknown fields are
/// errors, ranges and defaults are given, units stand in the descriptions. Rules across fields are
/// known to the reader alone.
std::string scene_schema();

/// The reference page docs/scene.md: every field with type, unit, default, range and help, and the
/// material presets.
std::string scene_reference();

}  // namespace pliant
