#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <vector>

#include "math/types.h"

namespace pliant {

/// 8-bit sRGB, rows from top to bottom.
struct Image {
  using Pixel = std::array<std::uint8_t, 3>;

  Image() = default;
  Image(int columns, int rows, Pixel fill = {0, 0, 0});

  int width = 0;
  int height = 0;
  std::vector<Pixel> pixels;

  Pixel& at(int x, int y) { return pixels[std::size_t(y) * std::size_t(width) + std::size_t(x)]; }
  const Pixel& at(int x, int y) const {
    return pixels[std::size_t(y) * std::size_t(width) + std::size_t(x)];
  }
};

/// Color components in [0, 1], as a web page would write them (sRGB); clipped and rounded.
Image::Pixel to_pixel(const Vec3& color);

/// Lays `color` over one pixel; `opacity` 0 leaves it, 1 replaces it. Outside the image: nothing.
void blend(Image& image, int x, int y, const Vec3& color, double opacity);

/// The PNG file as bytes; equal images give equal bytes.
std::vector<std::byte> encode_png(const Image& image);

/// The file appears whole or not at all. Throws IoError.
void write_png(const std::filesystem::path& path, const Image& image);

}  // namespace pliant
