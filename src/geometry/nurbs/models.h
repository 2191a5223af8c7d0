#pragma once

#include <span>

#include "geometry/nurbs/patch.h"

namespace pliant {

/// A CAD model that pliant makes itself, so that scenes and tests need no files.
struct MadeModel {
  const char* name;
  const char* help;                   // what it is and how large
  std::vector<NurbsPatch> (*make)();  // [m] about the origin, y up
};

/// In the order in which help lists them.
std::span<const MadeModel> made_models();
/// nullptr when there is no such model.
const MadeModel* find_made_model(const std::string& name);

}  // namespace pliant
