#include "picture/texture.h"

#include <doctest/doctest.h>

#include "core/errors.h"
#include "picture/color.h"
#include "picture/decode.h"
#include "picture/render.h"

using namespace pliant;
using Eigen::Vector2f;
using Eigen::Vector3f;

namespace {

Image checkers(int size) {
  Image image(size, size);
  for (int y = 0; y < size; ++y)
    for (int x = 0; x < size; ++x)
      image.at(x, y) = (x + y) % 2 ? Image::Pixel{255, 255, 255} : Image::Pixel{0, 0, 0};
  return image;
}

/// Eight by eight pixels of red, as ffmpeg writes them.
constexpr const char* red_jpeg =
    "ffd8ffe000104a46494600010200000100010000fffe00104c61766335392e33372e31303000ffdb00430008"
    "28282f282f373737373737413c414343434141414143434348484855555548484843434848505055555c5f5c"
    "575755575f5f646464787873738c8c91acaccfffc4004c000101000000000000000000000000000000060101"
    "0100000000000000000000000000000607100100000000000000000000000000000000110100000000000000"
    "000000000000000000ffc00011080008000803012200021100031100ffda000c03010002110311003f008b00"
    "517f7fffd9";

std::string from_hex(const std::string& digits) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2)
    bytes += char(std::stoi(digits.substr(i, 2), nullptr, 16));
  return bytes;
}

bool is_decoded(const std::string& bytes) {
  try {
    decode_image(bytes);
    return true;
  } catch (const IoError&) {
    return false;
  }
}

std::string text_of(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

TEST_CASE("a texture shows its texels from near and their mean light from far") {
  const Texture texture(checkers(64));
  CHECK(texture.at({0.5f / 64, 1 - 0.5f / 64}, 0).norm() < 1e-3f);
  CHECK((texture.at({1.5f / 64, 1 - 0.5f / 64}, 0) - Vector3f::Ones()).norm() < 1e-3f);
  CHECK((texture.at({3 + 1.5f / 64, -2 - 0.5f / 64}, 0) - Vector3f::Ones()).norm() < 1e-3f);
  CHECK((texture.at({0.3f, 0.7f}, 0.5f) - Vector3f::Constant(0.5f)).norm() < 0.01f);
  CHECK((texture.mean() - Vector3f::Constant(0.5f)).norm() < 0.01f);
}

TEST_CASE("images are decoded as they were encoded, and what is damaged is refused") {
  const Image image = checkers(8);
  const std::string bytes = text_of(encode_png(image));
  CHECK(decode_image(bytes).pixels == image.pixels);
  for (std::size_t length = 0; length < bytes.size() / 2; length += 7)
    CHECK_THROWS_AS(decode_image(bytes.substr(0, length)), IoError);
  CHECK_THROWS_AS(decode_image("\xff\xd8\xff not much of a photograph"), IoError);
  CHECK_THROWS_AS(decode_image("GIF89a"), IoError);
}

TEST_CASE("JPEG is read where libjpeg is there, and told where it is not") {
  const std::string bytes = from_hex(red_jpeg);
  if (!is_decoded(bytes)) {
    CHECK_THROWS_WITH_AS(decode_image(bytes), doctest::Contains("built without"), IoError);
    return;
  }
  const Image image = decode_image(bytes);
  CHECK(image.width == 8);
  CHECK(image.height == 8);
  CHECK(image.at(4, 4)[0] > 200);
  CHECK(image.at(4, 4)[2] < 60);
  CHECK(!is_decoded(bytes.substr(0, 30)));
}

TEST_CASE("images with changed bytes are decoded or refused, never worse") {
  const std::string images[] = {from_hex(red_jpeg), text_of(encode_png(checkers(8)))};
  int refused = 0;
  for (const std::string& image : images)
    for (std::size_t i = 0; i < image.size(); ++i)
      for (const int change : {0x01, 0x80, 0xff}) {
        std::string bytes = image;
        bytes[i] = char(bytes[i] ^ change);
        refused += is_decoded(bytes) ? 0 : 1;
      }
  CHECK(refused > 100);
}

TEST_CASE("a painted mesh shows its paint, or its own color where it has none") {
  const std::vector<Vector3f> points = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
  const std::vector<Triangle> triangles = {{0, 1, 2}, {0, 2, 3}};
  Image left_red(2, 2, {0, 0, 255});
  left_red.at(0, 0) = left_red.at(0, 1) = {255, 0, 0};
  const Texture texture(left_red);
  ShotPaint paint;
  paint.kinds = {{Vector3f::Ones(), &texture}};
  paint.kind = {0, 0};
  paint.uv = {{0, 0}, {1, 0}, {1, 1}, {0, 0}, {1, 1}, {0, 1}};
  Shot shot;
  shot.camera = {.eye = {0, 0, 5}, .target = {0, 0, 0}};
  shot.meshes = {{.points = points, .triangles = triangles, .color = {0, 1, 0}, .paint = &paint}};
  Renderer renderer;
  const RenderSettings settings{.width = 64, .height = 36};
  const auto channel = [&](int x) {
    const Image image = renderer.render(shot, settings);
    const Image::Pixel p = image.at(x, 18);
    return p[0] > p[1] && p[0] > p[2] ? 'r' : p[1] > p[2] ? 'g' : 'b';
  };
  CHECK(channel(26) == 'r');
  CHECK(channel(38) == 'b');
  paint.kind = {-1, -1};
  CHECK(channel(26) == 'r');  // the picture before, as nobody said that it changed
  ++paint.revision;
  CHECK(channel(26) == 'g');
  paint.color.assign(6, Vector3f(0, 0, 1));
  ++paint.revision;
  CHECK(channel(26) == 'b');
}
