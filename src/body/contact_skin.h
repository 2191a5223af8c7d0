#pragma once

#include <optional>

#include "body/drawn_skin.h"

namespace pliant {

/// Two surfaces of one body.
struct ContactSkin {
  Skin touched;
  DrawnSkin drawn;
};

/// A contact surface as fine as nodes that are `spacing` [m] apart: some of the skin's vertices,
/// with their weights, joined by edges of at most 1.2 of it, and nowhere further from the skin than
/// a small share of that and of `scale` [m], the body's contact scale. Nothing where the skin is as
/// coarse already. Takes the skin if it makes one.
std::optional<ContactSkin> make_contact_skin(Skin& skin, double spacing, double scale);

}  // namespace pliant
