#pragma once

#include "math/types.h"

namespace pliant::rigid {

/// How a body that nothing turns goes on turning for `h` seconds. `turn` carries its principal axes
/// into the world, `inertia` [kg m^2] is about those, `spin` is its angular momentum [kg m^2/s] in
/// the world, which stays what it is.
///
/// The energy is a sum of three terms, one per axis, and with one of them alone the body turns
/// about that axis at a steady rate: done one after the other, forth and back, in a pattern that
/// makes it fourth order. Every piece keeps the angular momentum, and the energy only swings: it
/// does not drift, however long a body tumbles.
Quat turn_freely(const Quat& turn, const Vec3& spin, const Vec3& inertia, double h);

}  // namespace pliant::rigid
