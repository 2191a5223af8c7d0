#include "picture/image.h"

#include <algorithm>
#include <cmath>
#include <png.h>

#include "core/assert.h"
#include "core/errors.h"
#include "core/files.h"

namespace pliant {

Image::Image(int columns, int rows, Pixel fill) : width(columns), height(rows) {
  ASSERT(columns > 0 && rows > 0, "an image has pixels");
  pixels.assign(std::size_t(columns) * std::size_t(rows), fill);
}

Image::Pixel to_pixel(const Vec3& color) {
  Image::Pixel pixel;
  for (int c = 0; c < 3; ++c)
    pixel[c] = std::uint8_t(std::lround(255 * std::clamp(color[c], 0.0, 1.0)));
  return pixel;
}

void blend(Image& image, int x, int y, const Vec3& color, double opacity) {
  if (x < 0 || y < 0 || x >= image.width || y >= image.height) return;
  Image::Pixel& pixel = image.at(x, y);
  const Vec3 under = Vec3(pixel[0], pixel[1], pixel[2]) / 255;
  pixel = to_pixel(under + opacity * (color - under));
}

std::vector<std::byte> encode_png(const Image& image) {
  // libpng's simplified interface: it reports through a message instead of a long jump.
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  png.width = png_uint_32(image.width);
  png.height = png_uint_32(image.height);
  png.format = PNG_FORMAT_RGB;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(png);
  std::vector<std::byte> bytes(size);
  if (!png_image_write_to_memory(&png, bytes.data(), &size, 0, image.pixels.data(), 0, nullptr))
    throw IoError(std::string("cannot encode PNG: ") + png.message);
  bytes.resize(size);
  return bytes;
}

void write_png(const std::filesystem::path& path, const Image& image) {
  write_file(path, encode_png(image));
}

}  // namespace pliant
