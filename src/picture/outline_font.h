#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace pliant {

/// One letter as the coverage of pixels, row by row.
struct GlyphImage {
  int left = 0, top = 0;  // [pixels] of its first pixel, right of the pen and above the baseline
  int width = 0, height = 0;
  int advance = 0;  // [pixels] of the pen
  std::vector<std::uint8_t> cover;
};

/// The font of captions and legends: DejaVu Sans through FreeType; the only file that knows it.
/// Letters are drawn once for each size and kept.
class OutlineFont {
 public:
  /// Null where the font is not installed.
  static const OutlineFont* find();

  /// `size`: [pixels] of the em. Of letters that the font does not have: its question mark.
  const GlyphImage& glyph(char32_t letter, int size) const;

 private:
  OutlineFont() = default;
  bool open();

  struct FreeType;
  FreeType* free_type_ = nullptr;  // lives as long as the program
};

/// Takes the next letter off a UTF-8 text; what is no UTF-8 counts as '?'.
char32_t next_letter(std::string_view& text);

}  // namespace pliant
