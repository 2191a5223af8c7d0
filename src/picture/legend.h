#pragma once

#include <array>
#include <optional>
#include <string>

#include "picture/color.h"
#include "picture/image.h"

namespace pliant {

/// What the colors of a field mean.
struct Legend {
  std::string title;  // "von Mises stress"
  std::string unit;   // "Pa"; shown with a prefix that fits the range: "kPa"; empty for none
  ColorMap map = ColorMap::steps;
  ValueRange range;
  /// Of all that is shown, where it lies outside the range: the colors end there, the field does
  /// not.
  std::optional<ValueRange> beyond = {};
};

/// The five numbers of the bar from low to high, and the unit they are in.
struct LegendNumbers {
  std::array<std::string, 5> text;
  std::string unit;
  std::string largest, smallest;  // what lies beyond the range, in the same unit; empty: nothing
};
LegendNumbers legend_numbers(const Legend& legend);

/// The color bar with title, unit and five numbers, on the right.
void draw_legend(Image& image, const Legend& legend);

/// Fraction of the picture's width it takes: for Framing::legend.
double legend_room(const Legend& legend, int width, int height);

/// Where the bar itself lies [pixels]; its top row shows the high end of the map, its bottom row
/// the low.
struct Bar {
  int left, top, width, height;
};
Bar legend_bar(const Legend& legend, int width, int height);

/// The lower edge: what is shown and when on the left, the scale of the ground on the right.
struct Caption {
  std::string name;
  std::optional<double> time;  // [s]
  std::optional<double> grid;  // [m] between lines, see grid_spacing()
};
void draw_caption(Image& image, const Caption& caption);

}  // namespace pliant
