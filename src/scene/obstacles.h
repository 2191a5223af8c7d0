#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "body/body.h"
#include "contact/colliders/collider.h"
#include "scene/build_log.h"
#include "scene/description.h"

namespace pliant {

/// Writes pivot and color it chose into `description`.
std::optional<Collider> make_collider(ColliderDescription& description, const std::string& where,
                                      BuildLog& log);

/// Across gravity (or y), half of the tallest body's height below the lowest body; flat bodies fall
/// an eighth of their size at least.
ColliderDescription floor_below(std::span<const Body> bodies, const Vec3& gravity);

}  // namespace pliant
