#pragma once

#include <vector>

#include "body/drawn_skin.h"

namespace pliant {

/// Where the contact surface is touched, puts drawn vertices that bulge out of it back to the
/// height over it that they had at rest: in strongly deformed cells the two surfaces can be far
/// apart, and what is seen would reach into what touches. `contact`: with positions up to date.
/// `is_touched`: per vertex of it.
void keep_on_contact_surface(DrawnSkin& drawn, const Skin& contact,
                             const std::vector<bool>& is_touched);

}  // namespace pliant
