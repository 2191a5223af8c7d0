#include "picture/outline_font.h"

#include <ft2build.h>
#include <map>
#include <mutex>
#include <utility>

#include FT_FREETYPE_H

namespace pliant {

struct OutlineFont::FreeType {
  FT_Library library = nullptr;
  FT_Face face = nullptr;
  std::mutex mutex;
  std::map<std::pair<char32_t, int>, GlyphImage> drawn;  // nodes stay where they are
};

bool OutlineFont::open() {
  free_type_ = new FreeType;
  if (FT_Init_FreeType(&free_type_->library) != 0) return false;
  for (const char* path : {PLIANT_FONT, "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
                           "/usr/share/fonts/TTF/DejaVuSans.ttf"})
    if (*path && FT_New_Face(free_type_->library, path, 0, &free_type_->face) == 0) return true;
  return false;
}

const OutlineFont* OutlineFont::find() {
  static OutlineFont font;
  static const bool found = font.open();
  return found ? &font : nullptr;
}

const GlyphImage& OutlineFont::glyph(char32_t letter, int size) const {
  const std::lock_guard lock(free_type_->mutex);
  const auto [place, is_new] = free_type_->drawn.try_emplace({letter, size});
  GlyphImage& image = place->second;
  if (!is_new) return image;
  FT_Face face = free_type_->face;
  const FT_UInt index = FT_Get_Char_Index(face, letter);
  FT_Set_Pixel_Sizes(face, 0, FT_UInt(size));
  // Light hinting: stems keep their places, so that letters look alike wherever they stand.
  if (FT_Load_Glyph(face, index ? index : FT_Get_Char_Index(face, '?'),
                    FT_LOAD_RENDER | FT_LOAD_TARGET_LIGHT) != 0)
    return image;
  const FT_GlyphSlot slot = face->glyph;
  const FT_Bitmap& bitmap = slot->bitmap;
  image.left = slot->bitmap_left;
  image.top = slot->bitmap_top;
  image.width = int(bitmap.width);
  image.height = int(bitmap.rows);
  image.advance = int(slot->advance.x >> 6);
  for (int row = 0; row < image.height; ++row) {
    const unsigned char* begin = bitmap.buffer + std::ptrdiff_t(row) * bitmap.pitch;
    image.cover.insert(image.cover.end(), begin, begin + image.width);
  }
  return image;
}

char32_t next_letter(std::string_view& text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(0);
  const std::size_t length = first < 0x80    ? 1
                             : first >= 0xF0 ? 4
                             : first >= 0xE0 ? 3
                             : first >= 0xC0 ? 2
                                             : 0;
  char32_t letter = length == 1 ? first : first & (0xFFu >> (length + 1));
  bool is_valid = length > 0 && length <= text.size();
  for (std::size_t i = 1; is_valid && i < length; ++i) {
    is_valid = (byte(i) & 0xC0) == 0x80;
    letter = letter << 6 | (byte(i) & 0x3F);
  }
  text.remove_prefix(is_valid ? length : 1);
  return is_valid && letter >= ' ' ? letter : U'?';
}

}  // namespace pliant
