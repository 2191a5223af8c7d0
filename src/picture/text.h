#pragma once

#include <string_view>

#include "picture/image.h"

namespace pliant {

/// Height of a line of text before scaling [pixels]: 7 above the baseline, 2 below.
inline constexpr int text_height = 9;

/// [pixels] Digits are all alike, so that a running clock does not jitter.
int text_width(std::string_view text, int scale = 1);

/// Writes UTF-8 in DejaVu Sans with its upper left corner at (x, y); where that font is not
/// installed, ASCII in a font of dots. `scale` is a whole number of pixels per dot of that font;
/// capitals are seven dots high in both. Clipped at the image's edge.
void draw_text(Image& image, int x, int y, std::string_view text, const Vec3& color, int scale = 1,
               double opacity = 1);

/// The scale at which small type is readable in a picture of this height: 1 for 360 rows, 2 for
/// 720.
int text_scale(int image_height);

}  // namespace pliant
