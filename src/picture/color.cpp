#include "picture/color.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

namespace pliant {
namespace {

constexpr int map_size = 256;
using Table = std::array<Vec3, map_size>;

Vec3 lch(double lightness, double chroma, double hue_degrees) {
  const double hue = hue_degrees * std::numbers::pi / 180;
  return {lightness, chroma * std::cos(hue), chroma * std::sin(hue)};
}

// Just enough less chroma for the screen to show it. Bisection, so that curves stay smooth.
Vec3 displayable(const Vec3& lab) {
  const auto fits = [&](double share) {
    const Vec3 rgb = from_oklab({lab[0], share * lab[1], share * lab[2]});
    return rgb.minCoeff() >= 0 && rgb.maxCoeff() <= 1;
  };
  double low = 0, high = 1;
  if (fits(high)) return lab;
  for (int i = 0; i < 40; ++i) (fits(0.5 * (low + high)) ? low : high) = 0.5 * (low + high);
  return {lab[0], low * lab[1], low * lab[2]};
}

// Lightness grows steadily while the hue turns from violet-blue over teal and green to yellow.
Vec3 steps_curve(double t) {
  const double chroma = 0.135 + 0.03 * std::cos(2 * std::numbers::pi * t);
  return lch(0.30 + 0.62 * t, chroma, 292 - 188 * t);
}

// The two arms are equally light, so that neither sign looks stronger.
Vec3 signs_curve(double t) {
  const double from_middle = std::abs(2 * t - 1);
  const double arm = std::pow(from_middle, 1.1);
  return lch(0.95 - 0.47 * arm, 0.165 * std::sin(0.5 * std::numbers::pi * from_middle),
             t < 0.5 ? 255 : 28);
}

// Walks along the curve and takes entries at equal Oklab distances.
template <class Curve>
Table tabulate(const Curve& curve) {
  constexpr int fine = 4096;
  std::vector<Vec3> points;
  std::vector<double> length = {0};
  for (int i = 0; i <= fine; ++i) {
    points.push_back(displayable(curve(double(i) / fine)));
    if (i > 0) length.push_back(length.back() + (points[i] - points[i - 1]).norm());
  }
  Table table;
  int segment = 0;
  for (int k = 0; k < map_size; ++k) {
    const double wanted = length.back() * k / (map_size - 1);
    while (segment < fine - 1 && length[segment + 1] < wanted) ++segment;
    const double a = (wanted - length[segment]) / (length[segment + 1] - length[segment]);
    const Vec3 lab = points[segment] + a * (points[segment + 1] - points[segment]);
    table[k] = to_srgb(from_oklab(lab).cwiseMax(0).cwiseMin(1));
  }
  return table;
}

const Table& table_of(ColorMap map) {
  static const Table steps = tabulate(steps_curve);
  static const Table signs = tabulate(signs_curve);
  return map == ColorMap::steps ? steps : signs;
}

}  // namespace

Vec3 to_linear(const Vec3& srgb) {
  return srgb.unaryExpr(
      [](double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); });
}

Vec3 to_srgb(const Vec3& linear) {
  return linear.unaryExpr(
      [](double c) { return c <= 0.0031308 ? 12.92 * c : 1.055 * std::pow(c, 1 / 2.4) - 0.055; });
}

Vec3 to_oklab(const Vec3& linear) {
  Mat3 cones, axes;
  cones << 0.4122214708, 0.5363325363, 0.0514459929, 0.2119034982, 0.6806995451, 0.1073969566,
      0.0883024619, 0.2817188376, 0.6299787005;
  axes << 0.2104542553, 0.7936177850, -0.0040720468, 1.9779984951, -2.4285922050, 0.4505937099,
      0.0259040371, 0.7827717662, -0.8086757660;
  return axes * (cones * linear).unaryExpr([](double c) { return std::cbrt(c); });
}

Vec3 from_oklab(const Vec3& lab) {
  Mat3 cones, rgb;
  cones << 1, 0.3963377774, 0.2158037573, 1, -0.1055613458, -0.0638541728, 1, -0.0894841775,
      -1.2914855480;
  rgb << 4.0767416621, -3.3077115913, 0.2309699292, -1.2684380046, 2.6097574011, -0.3413193965,
      -0.0041960863, -0.7034186147, 1.7076147010;
  return rgb * (cones * lab).unaryExpr([](double c) { return c * c * c; });
}

Vec3 palette(int i) {
  static const std::array<Vec3, 8> colors = {{
      {0.890, 0.380, 0.318},  // coral
      {0.184, 0.600, 0.620},  // teal
      {0.949, 0.690, 0.260},  // amber
      {0.310, 0.498, 0.800},  // blue
      {0.486, 0.690, 0.353},  // leaf
      {0.580, 0.435, 0.745},  // violet
      {0.925, 0.580, 0.690},  // rose
      {0.580, 0.455, 0.365},  // clay
  }};
  return colors[std::size_t(((i % 8) + 8) % 8)];
}

Vec3 collider_color() { return {0.70, 0.725, 0.76}; }

Vec3 map_color(ColorMap map, double t) {
  if (!std::isfinite(t)) return Vec3::Constant(0.5);
  const double place = std::clamp(t, 0.0, 1.0) * (map_size - 1);
  const int k = std::min(int(place), map_size - 2);
  const Table& table = table_of(map);
  return table[k] + (place - k) * (table[k + 1] - table[k]);
}

void ValueRange::add(const ValueRange& other) {
  low = std::min(low, other.low);
  high = std::max(high, other.high);
}

ValueRange value_range(std::span<const float> values, ColorMap map) {
  const double infinity = std::numeric_limits<double>::infinity();
  ValueRange range{infinity, -infinity};
  for (const float value : values)
    if (std::isfinite(value)) range.add({value, value});
  if (range.low > range.high) return {};
  if (map == ColorMap::signs) {
    range.high = std::max(std::abs(range.low), std::abs(range.high));
    range.low = -range.high;
  }
  return range;
}

}  // namespace pliant
