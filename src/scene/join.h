#pragma once

#include <string>

#include "body/solid.h"

namespace pliant {

/// Makes one solid of two, surfaces and faces side by side: what is inside of either is inside.
/// The part's surface becomes a group with its name, its own groups are called NAME/GROUP. Points
/// of a plain surface beside CAD faces lie on no patch (Solid::on_patch has -1 there). Throws
/// InputError (no file) where it is not known which points of a surface lie on its faces.
void join(Solid& whole, Solid part, const std::string& name);

}  // namespace pliant
