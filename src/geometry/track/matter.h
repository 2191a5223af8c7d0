#pragma once

#include <functional>

#include "math/types.h"

namespace pliant::track {

/// What the matter says about its surface; left out, it says nothing. Called from one thread.
struct Matter {
  /// Whether there is matter near a vertex at `p`. Where there is none, the surface is drawn back.
  std::function<bool(const Vec3& p)> supports;
  /// Whether the matter behind these two places on either side of a gap hangs together: then the
  /// gap closes although it is wider than others that do.
  std::function<bool(const Vec3& a, const Vec3& b)> joined;
};

}  // namespace pliant::track
