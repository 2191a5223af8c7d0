#include "picture/color.h"

#include <doctest/doctest.h>
#include <limits>

#include "picture/legend.h"

namespace pliant {
namespace {

Vec3 lab(const Vec3& srgb) { return to_oklab(to_linear(srgb)); }

}  // namespace

TEST_CASE("color conversions undo one another") {
  for (int i = 0; i < 8; ++i) {
    const Vec3 linear = to_linear(palette(i));
    CHECK((to_srgb(linear) - palette(i)).norm() < 1e-12);
    CHECK((from_oklab(to_oklab(linear)) - linear).norm() < 1e-6);
  }
}

TEST_CASE("equal steps in a color map are equal steps to the eye") {
  for (const ColorMap map : {ColorMap::steps, ColorMap::signs}) {
    double smallest = 1e9, largest = 0;
    for (int i = 0; i < 64; ++i) {
      const double step =
          (lab(map_color(map, i / 64.0)) - lab(map_color(map, (i + 1) / 64.0))).norm();
      smallest = std::min(smallest, step);
      largest = std::max(largest, step);
    }
    CHECK(largest < 1.15 * smallest);
  }
}

TEST_CASE("lightness only grows along `steps` and is the same at both ends of `signs`") {
  for (int i = 0; i < 64; ++i)
    CHECK(lab(map_color(ColorMap::steps, i / 64.0)).x() <
          lab(map_color(ColorMap::steps, (i + 1) / 64.0)).x());
  const double low = lab(map_color(ColorMap::signs, 0)).x();
  const double high = lab(map_color(ColorMap::signs, 1)).x();
  CHECK(low == doctest::Approx(high).epsilon(0.02));
}

TEST_CASE("body colors are told apart easily") {
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < i; ++j) CHECK((lab(palette(i)) - lab(palette(j))).norm() > 0.09);
  CHECK(palette(9) == palette(1));
}

TEST_CASE("the automatic range skips what is not finite, and is symmetric for signs") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> values = {nan, -1, 3, std::numeric_limits<float>::infinity()};
  CHECK(value_range(values).low == -1);
  CHECK(value_range(values).high == 3);
  CHECK(value_range(values, ColorMap::signs).low == -3);
  CHECK(value_range({}).high == 1);
}

TEST_CASE("the legend's bar ends in the ends of the map") {
  for (const ColorMap map : {ColorMap::steps, ColorMap::signs}) {
    const Legend legend{.title = "stress", .unit = "Pa", .map = map, .range = {0, 2e5}};
    Image image(640, 360, {90, 90, 90});
    draw_legend(image, legend);
    const Bar bar = legend_bar(legend, 640, 360);
    const int x = bar.left + bar.width / 2;
    CHECK(image.at(x, bar.top) == to_pixel(map_color(map, 1)));
    CHECK(image.at(x, bar.top + bar.height - 1) == to_pixel(map_color(map, 0)));
    CHECK(bar.left > 640 * (1 - legend_room(legend, 640, 360)));
  }
}

TEST_CASE("legend numbers are short and in a fitting unit") {
  const LegendNumbers stress = legend_numbers({.title = "", .unit = "Pa", .range = {0, 2e5}});
  CHECK(stress.unit == "kPa");
  CHECK(stress.text == std::array<std::string, 5>{"0", "50", "100", "150", "200"});
  const LegendNumbers strain = legend_numbers({.title = "", .unit = "", .range = {-0.1, 0.1}});
  CHECK(strain.unit == "");
  CHECK(strain.text == std::array<std::string, 5>{"-0.10", "-0.05", "0.00", "0.05", "0.10"});
  const LegendNumbers way = legend_numbers({.title = "", .unit = "m", .range = {0, 0.004}});
  CHECK(way.unit == "mm");
  CHECK(way.text[4] == "4");
  CHECK(legend_numbers({.title = "", .unit = "m", .range = {2, 2}}).text[0].substr(0, 1) == "2");
}

}  // namespace pliant
