#pragma once

#include <optional>
#include <string>

#include "contact/colliders/heightfield.h"
#include "scene/build_log.h"
#include "scene/description.h"

namespace pliant {

/// Heights from a table or from waves. Nothing: there were problems, which are in the log under
/// `where`. Writes what it chose into `description`.
std::optional<Heightfield> make_heightfield(HeightfieldDescription& description,
                                            const std::string& where, BuildLog& log);

}  // namespace pliant
