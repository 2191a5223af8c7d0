#pragma once

#include <cstdint>

#include "body/body.h"

namespace pliant {

/// Where a scrambled body's nodes are thrown.
enum class Scramble { plane, space, line, point };
inline constexpr const char* scramble_names[] = {"plane", "space", "line", "point"};

/// Throws every node at random into the body's bounding box, or into the horizontal plane, the line
/// along x or the point in its middle; everything at rest there. Depends on `seed` and on nothing
/// else. The hardest start a body can be given: it must find its shape again by itself.
void scramble(Body& body, Scramble into, std::uint64_t seed);

}  // namespace pliant
