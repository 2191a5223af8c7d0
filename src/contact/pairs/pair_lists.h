#pragma once

#include <span>

#include "body/body.h"
#include "contact/pairs/body_pair.h"
#include "contact/surface/contact_surfaces.h"

// The lists of one pair. Different pairs may be listed at once.

namespace pliant {

/// Finds the parts of two bodies that are nearer than `reach` [m]; where that is none, measures how
/// far the bodies are apart, up to `most`. Starts the budget of parts. All boxes of the two must be
/// up to date.
void find_parts(const ContactSurfaces& surfaces, BodyPair& pair, double reach, double most);

/// Asks for the boxes of its parts.
void ask_parts(const BodyPair& pair, ContactSurfaces& surfaces);

/// Whether ridges of its parts came or went with this step.
bool has_new_creases(const BodyPair& pair, const ContactSurfaces& surfaces);

/// Lists features that are nearer than the pair's reach and allowance. Boxes of its parts must be
/// up to date.
void list_features(std::span<const Body> bodies, const ContactSurfaces& surfaces, BodyPair& pair);

/// Lists the vertices around, or those that would be listed first. Parts that are not in the pair
/// are further apart than `most` [m].
void list_bystanders(std::span<const Body> bodies, const ContactSurfaces& surfaces, BodyPair& pair,
                     double most);

}  // namespace pliant
