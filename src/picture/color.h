#pragma once

#include <span>

#include "math/types.h"

namespace pliant {

// Colors are sRGB in [0, 1] unless called linear (proportional to light).

Vec3 to_linear(const Vec3& srgb);
Vec3 to_srgb(const Vec3& linear);

/// Lightness and two color axes in which equal distances look about equally different. Oklab:
/// Ottosson 2020.
Vec3 to_oklab(const Vec3& linear);
Vec3 from_oklab(const Vec3& lab);  // linear; may lie outside [0, 1]

/// Eight pleasant, distinct body colors, over and over.
Vec3 palette(int i);

/// For things that are there but are not the subject: floors' boxes, presses, walls.
Vec3 collider_color();

/// `steps`: dark blue to light yellow, for values from none to much. `signs`: blue over white to
/// red, for values about zero. Both are perceptually uniform: equal steps look equal.
enum class ColorMap { steps, signs };

/// `t` in [0, 1], clipped; grey when it is not a number.
Vec3 map_color(ColorMap map, double t);

/// Values that the two ends of a color map stand for.
struct ValueRange {
  double low = 0;
  double high = 1;

  double fraction(double value) const { return high > low ? (value - low) / (high - low) : 0.5; }
  void add(const ValueRange& other);
};

/// Smallest and largest finite value; for `signs` widened to be symmetric about zero. Without any
/// finite value: 0 to 1.
ValueRange value_range(std::span<const float> values, ColorMap map = ColorMap::steps);

}  // namespace pliant
