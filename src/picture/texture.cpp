#include "picture/texture.h"

#include <algorithm>
#include <cmath>

#include "picture/color.h"

namespace pliant {
namespace {

using Eigen::Vector2f;
using Eigen::Vector3f;

int wrapped(int i, int size) {
  i %= size;
  return i < 0 ? i + size : i;
}

float linear(std::uint8_t value) {
  static const std::array<float, 256> table = [] {
    std::array<float, 256> values;
    for (int i = 0; i < 256; ++i)
      values[std::size_t(i)] = float(to_linear(Vec3::Constant(i / 255.0))[0]);
    return values;
  }();
  return table[value];
}

Vector3f linear(const Image::Pixel& p) { return {linear(p[0]), linear(p[1]), linear(p[2])}; }

Image half_of(const Image& fine) {
  Image coarse(std::max(1, fine.width / 2), std::max(1, fine.height / 2));
  for (int y = 0; y < coarse.height; ++y)
    for (int x = 0; x < coarse.width; ++x) {
      Vector3f sum = Vector3f::Zero();
      for (int dy = 0; dy < 2; ++dy)
        for (int dx = 0; dx < 2; ++dx)
          sum += linear(
              fine.at(std::min(2 * x + dx, fine.width - 1), std::min(2 * y + dy, fine.height - 1)));
      coarse.at(x, y) = to_pixel(to_srgb((sum / 4).cast<double>()));
    }
  return coarse;
}

Vector3f between_texels(const Image& level, const Vector2f& uv) {
  const float x = (uv.x() - std::floor(uv.x())) * float(level.width) - 0.5f;
  const float y = (1 - (uv.y() - std::floor(uv.y()))) * float(level.height) - 0.5f;
  const int left = int(std::floor(x)), top = int(std::floor(y));
  const float u = x - float(left), v = y - float(top);
  const auto texel = [&](int column, int row) {
    return linear(level.at(wrapped(column, level.width), wrapped(row, level.height)));
  };
  return (1 - v) * ((1 - u) * texel(left, top) + u * texel(left + 1, top)) +
         v * ((1 - u) * texel(left, top + 1) + u * texel(left + 1, top + 1));
}

}  // namespace

Texture::Texture(Image image) {
  levels_.push_back(std::move(image));
  while (levels_.back().width > 1 || levels_.back().height > 1)
    levels_.push_back(half_of(levels_.back()));
}

int Texture::size() const { return std::max(levels_.front().width, levels_.front().height); }

Vector3f Texture::mean() const { return linear(levels_.back().at(0, 0)); }

Vector3f Texture::at(const Vector2f& uv, float footprint) const {
  if (!uv.allFinite()) return mean();
  const int last = int(levels_.size()) - 1;
  const float level = std::clamp(std::log2(footprint * float(size())), 0.0f, float(last));
  const int fine = int(level), coarse = std::min(fine + 1, last);
  const float share = level - float(fine);
  return (1 - share) * between_texels(levels_[std::size_t(fine)], uv) +
         share * between_texels(levels_[std::size_t(coarse)], uv);
}

}  // namespace pliant
