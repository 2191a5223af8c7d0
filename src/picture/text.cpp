#include "picture/text.h"

#include <algorithm>
#include <cmath>

#include "core/assert.h"
#include "picture/outline_font.h"

namespace pliant {
namespace {

constexpr int glyph_columns = 5;
constexpr int glyphs_in_band = 16;
constexpr int band_columns = glyphs_in_band * (glyph_columns + 1);  // the line feed is the last gap

// For machines without the outline font. Drawn for this project. Six bands of sixteen, in ASCII
// order from the space on.
// clang-format off
constexpr std::string_view dots =
    "..... ..#.. .#.#. .#.#. ..#.. ##..# .##.. ..#.. ...#. .#... ..... ..... ..... ..... ..... ....# "
    "..... ..#.. .#.#. .#.#. .#### ##..# #..#. ..#.. ..#.. ..#.. ..#.. ..#.. ..... ..... ..... ....# "
    "..... ..#.. .#.#. ##### #.#.. ...#. #..#. ..#.. .#... ...#. #.#.# ..#.. ..... ..... ..... ...#. "
    "..... ..#.. ..... .#.#. .###. ..#.. .##.. ..... .#... ...#. .###. ##### ..... .###. ..... ..#.. "
    "..... ..#.. ..... ##### ..#.# .#... #.#.# ..... .#... ...#. #.#.# ..#.. ..... ..... ..... .#... "
    "..... ..... ..... .#.#. ####. #..## #..#. ..... .#... ...#. ..#.. ..#.. .##.. ..... .##.. #.... "
    "..... ..#.. ..... .#.#. ..#.. #..## .##.# ..... .#... ...#. ..... ..... .##.. ..... .##.. #.... "
    "..... ..... ..... ..... ..... ..... ..... ..... ..#.. ..#.. ..... ..... ..#.. ..... ..... ..... "
    "..... ..... ..... ..... ..... ..... ..... ..... ...#. .#... ..... ..... .#... ..... ..... ..... "
    ".###. ..#.. .###. .###. ...#. ##### ..##. ##### .###. .###. ..... ..... ...#. ..... .#... .###. "
    "#...# .##.. #...# #...# ..##. #.... .#... ....# #...# #...# ..... ..... ..#.. ..... ..#.. #...# "
    "#...# #.#.. ....# ....# .#.#. ####. #.... ....# #...# #...# .##.. .##.. .#... ##### ...#. ....# "
    "#.#.# ..#.. ...#. ..##. #..#. ....# ####. ...#. .###. .#### .##.. .##.. #.... ..... ....# ...#. "
    "#...# ..#.. ..#.. ....# ##### ....# #...# ..#.. #...# ....# ..... ..... .#... ##### ...#. ..#.. "
    "#...# ..#.. .#... #...# ...#. #...# #...# ..#.. #...# ...#. .##.. .##.. ..#.. ..... ..#.. ..... "
    ".###. ##### ##### .###. ...#. .###. .###. ..#.. .###. .##.. .##.. .##.. ...#. ..... .#... ..#.. "
    "..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..#.. ..... ..... ..... ..... "
    "..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... .#... ..... ..... ..... ..... "
    ".###. ..#.. ####. .###. ####. ##### ##### .###. #...# .###. ..### #...# #.... #...# #...# .###. "
    "#...# .#.#. #...# #...# #...# #.... #.... #...# #...# ..#.. ...#. #..#. #.... ##.## ##..# #...# "
    "#.### #...# #...# #.... #...# #.... #.... #.... #...# ..#.. ...#. #.#.. #.... #.#.# ##..# #...# "
    "#.#.# #...# ####. #.... #...# ####. ####. #.### ##### ..#.. ...#. ##... #.... #.#.# #.#.# #...# "
    "#.##. ##### #...# #.... #...# #.... #.... #...# #...# ..#.. ...#. #.#.. #.... #...# #..## #...# "
    "#.... #...# #...# #...# #...# #.... #.... #...# #...# ..#.. #..#. #..#. #.... #...# #..## #...# "
    ".###. #...# ####. .###. ####. ##### #.... .###. #...# .###. .##.. #...# ##### #...# #...# .###. "
    "..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... "
    "..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... "
    "####. .###. ####. .#### ##### #...# #...# #...# #...# #...# ##### .###. #.... .###. ..#.. ..... "
    "#...# #...# #...# #.... ..#.. #...# #...# #...# #...# #...# ....# .#... #.... ...#. .#.#. ..... "
    "#...# #...# #...# #.... ..#.. #...# #...# #...# .#.#. .#.#. ...#. .#... .#... ...#. #...# ..... "
    "####. #...# ####. .###. ..#.. #...# .#.#. #.#.# ..#.. ..#.. ..#.. .#... ..#.. ...#. ..... ..... "
    "#.... #.#.# #.#.. ....# ..#.. #...# .#.#. #.#.# .#.#. ..#.. .#... .#... ...#. ...#. ..... ..... "
    "#.... #..#. #..#. ....# ..#.. #...# .#.#. ##.## #...# ..#.. #.... .#... ....# ...#. ..... ..... "
    "#.... .##.# #...# ####. ..#.. .###. ..#.. #...# #...# ..#.. ##### .#... ....# ...#. ..... ..... "
    "..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... .#... ..... ...#. ..... ##### "
    "..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... .###. ..... .###. ..... ..... "
    ".#... ..... #.... ..... ....# ..... ..##. ..... #.... ..#.. ...#. #.... .##.. ..... ..... ..... "
    "..#.. ..... #.... ..... ....# ..... .#... ..... #.... ..... ..... #.... ..#.. ..... ..... ..... "
    "..... .###. ####. .###. .#### .###. ####. .#### ####. .##.. ..##. #..#. ..#.. ##.#. ####. .###. "
    "..... ....# #...# #...# #...# #...# .#... #...# #...# ..#.. ...#. #.#.. ..#.. #.#.# #...# #...# "
    "..... .#### #...# #.... #...# ##### .#... #...# #...# ..#.. ...#. ##... ..#.. #.#.# #...# #...# "
    "..... #...# #...# #...# #...# #.... .#... #...# #...# ..#.. ...#. #.#.. ..#.. #.#.# #...# #...# "
    "..... .#### ####. .###. .#### .###. .#... .#### #...# .###. ...#. #..#. .###. #.#.# #...# .###. "
    "..... ..... ..... ..... ..... ..... ..... ....# ..... ..... ...#. ..... ..... ..... ..... ..... "
    "..... ..... ..... ..... ..... ..... ..... .###. ..... ..... .##.. ..... ..... ..... ..... ..... "
    "..... ..... ..... ..... .#... ..... ..... ..... ..... ..... ..... ...#. ..#.. .#... ..... ..... "
    "..... ..... ..... ..... .#... ..... ..... ..... ..... ..... ..... ..#.. ..#.. ..#.. ..... ..... "
    "####. .#### #.##. .#### ####. #...# #...# #...# #...# #...# ##### ..#.. ..#.. ..#.. .##.# ..... "
    "#...# #...# ##... #.... .#... #...# #...# #.#.# .#.#. #...# ...#. ..#.. ..#.. ..#.. #..#. ..... "
    "#...# #...# #.... .###. .#... #...# .#.#. #.#.# ..#.. #...# ..#.. .#... ..#.. ...#. ..... ..... "
    "#...# #...# #.... ....# .#... #...# .#.#. #.#.# .#.#. #...# .#... ..#.. ..#.. ..#.. ..... ..... "
    "####. .#### #.... ####. ..##. .#### ..#.. .#.#. #...# .#### ##### ..#.. ..#.. ..#.. ..... ..... "
    "#.... ....# ..... ..... ..... ..... ..... ..... ..... ....# ..... ..#.. ..#.. ..#.. ..... ..... "
    "#.... ....# ..... ..... ..... ..... ..... ..... ..... .###. ..... ...#. ..#.. .#... ..... ..... ";
// clang-format on
static_assert(dots.size() == 6 * text_height * band_columns);

struct Glyph {
  int index = 0;  // 0 = space
  int left = 0;   // first column with ink
  int width = 3;  // columns from there
};

bool ink(int index, int column, int row) {
  if (column < 0 || column >= glyph_columns || row < 0 || row >= text_height) return false;
  const int line = (index / glyphs_in_band) * text_height + row;
  const int start = (index % glyphs_in_band) * (glyph_columns + 1);
  return dots[std::size_t(line * band_columns + start + column)] == '#';
}

bool column_has_ink(int index, int column) {
  for (int row = 0; row < text_height; ++row)
    if (ink(index, column, row)) return true;
  return false;
}

Glyph glyph_of(char c) {
  Glyph glyph;
  if (c == ' ') return glyph;
  glyph.index = (c > ' ' && c <= '~' ? c : '?') - ' ';
  const bool fixed = c >= '0' && c <= '9';
  glyph.width = glyph_columns;
  if (fixed) return glyph;
  while (!column_has_ink(glyph.index, glyph.left)) ++glyph.left;
  glyph.width -= glyph.left;
  while (!column_has_ink(glyph.index, glyph.left + glyph.width - 1)) --glyph.width;
  return glyph;
}

// Coverage at a point of the glyph, in dots. Dots are blurred into one another and cut at a level
// that keeps their size: diagonals become smooth, strokes stay as wide as they are.
double coverage(int index, double column, double row, int scale) {
  const double x = column - 0.5, y = row - 0.5;
  const int i = int(std::floor(x)), j = int(std::floor(y));
  const double a = x - i, b = y - j;
  const double level = (1 - a) * (1 - b) * ink(index, i, j) + a * (1 - b) * ink(index, i + 1, j) +
                       (1 - a) * b * ink(index, i, j + 1) + a * b * ink(index, i + 1, j + 1);
  return std::clamp(0.5 + (level - 0.42) * scale, 0.0, 1.0);
}

void draw_glyph(Image& image, int x, int y, const Glyph& glyph, const Vec3& color, int scale,
                double opacity) {
  for (int v = 0; v < text_height * scale; ++v)
    for (int u = -scale; u < (glyph.width + 1) * scale; ++u) {
      const double column = glyph.left + (u + 0.5) / scale, row = (v + 0.5) / scale;
      const double cover = scale == 1 ? ink(glyph.index, glyph.left + u, v)
                                      : coverage(glyph.index, column, row, scale);
      if (cover > 0) blend(image, x + u, y + v, color, cover * opacity);
    }
}

/// The second and further bytes of a letter that has no glyph: "?" stands for it once.
bool continues_letter(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// Capitals of DejaVu Sans are 0.73 of the em high: as high as those of the dots.
int em(int scale) { return int(std::lround(7 * scale / 0.73)); }

int outline_width(const OutlineFont& font, std::string_view text, int scale) {
  int width = 0;
  while (!text.empty()) width += font.glyph(next_letter(text), em(scale)).advance;
  return width;
}

void draw_outlines(Image& image, int x, int y, const OutlineFont& font, std::string_view text,
                   const Vec3& color, int scale, double opacity) {
  const int baseline = y + 7 * scale;
  while (!text.empty()) {
    const GlyphImage& glyph = font.glyph(next_letter(text), em(scale));
    for (int v = 0; v < glyph.height; ++v)
      for (int u = 0; u < glyph.width; ++u)
        if (const int cover = glyph.cover[std::size_t(v * glyph.width + u)])
          blend(image, x + glyph.left + u, baseline - glyph.top + v, color, opacity * cover / 255);
    x += glyph.advance;
  }
}

}  // namespace

int text_width(std::string_view text, int scale) {
  if (const OutlineFont* font = OutlineFont::find()) return outline_width(*font, text, scale);
  int width = 0;
  for (const char c : text)
    if (!continues_letter(c)) width += glyph_of(c).width + 1;
  return std::max(0, width - 1) * scale;
}

void draw_text(Image& image, int x, int y, std::string_view text, const Vec3& color, int scale,
               double opacity) {
  ASSERT(scale >= 1, "text is scaled by whole dots");
  if (const OutlineFont* font = OutlineFont::find()) {
    draw_outlines(image, x, y, *font, text, color, scale, opacity);
    return;
  }
  for (const char c : text) {
    if (continues_letter(c)) continue;
    const Glyph glyph = glyph_of(c);
    if (glyph.index > 0) draw_glyph(image, x, y, glyph, color, scale, opacity);
    x += (glyph.width + 1) * scale;
  }
}

int text_scale(int image_height) { return std::max(1, int(std::lround(image_height / 360.0))); }

}  // namespace pliant
