#pragma once

#include <string_view>

#include "picture/image.h"

namespace pliant {

/// Height of a line of text before scaling [pixels]: 7 above the baseline, 2 below.
inline constexpr int text_height = 9;

/// Pixels from the first to the last column. Letters are as wide as they need to be, digits all
/// alike, so that a running clock does not jitter.
int text_width(std::string_view text, int scale = 1);

/// Writes printable ASCII with its upper left corner at (x, y); anything else becomes '?'. `scale`
/// is a whole number of pixels per dot; edges are smoothed from 2 on. Clipped at the image's edge.
void draw_text(Image& image, int x, int y, std::string_view text, const Vec3& color, int scale = 1,
               double opacity = 1);

/// The scale at which small type is readable in a picture of this height: 1 for 360 rows, 2 for
/// 720.
int text_scale(int image_height);

}  // namespace pliant
