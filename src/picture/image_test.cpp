#include "picture/image.h"

#include <cstring>
#include <doctest/doctest.h>
#include <fstream>
#include <iterator>

#include "picture/legend.h"
#include "picture/text.h"

namespace pliant {
namespace {

int big_endian(const std::byte* bytes) {
  return int(bytes[0]) << 24 | int(bytes[1]) << 16 | int(bytes[2]) << 8 | int(bytes[3]);
}

int pixels_with_ink(const Image& image) {
  int count = 0;
  for (const Image::Pixel& pixel : image.pixels) count += pixel != Image::Pixel{0, 0, 0};
  return count;
}

TEST_CASE("a caption stays in the picture, however long its name is") {
  const Image::Pixel plain = {200, 200, 200};
  Image image(320, 180, plain);
  draw_caption(image, {.name = std::string(500, 'M'), .time = 1.5, .grid = 0.1});
  for (int y = 0; y < image.height; ++y)
    for (int x = image.width - 10; x < image.width; ++x) REQUIRE(image.at(x, y) == plain);
}

}  // namespace

TEST_CASE("a PNG starts with its signature and tells the image's size") {
  const std::vector<std::byte> png = encode_png(Image(37, 21, {10, 200, 30}));
  REQUIRE(png.size() > 33);
  CHECK(std::memcmp(png.data(), "\x89PNG\r\n\x1a\n", 8) == 0);
  CHECK(std::memcmp(png.data() + 12, "IHDR", 4) == 0);
  CHECK(big_endian(png.data() + 16) == 37);
  CHECK(big_endian(png.data() + 20) == 21);
  CHECK(int(png[24]) == 8);  // bits
  CHECK(int(png[25]) == 2);  // RGB
}

TEST_CASE("write_png leaves exactly the encoded bytes and nothing beside them") {
  const auto folder = std::filesystem::temp_directory_path() / "pliant_image_test";
  std::filesystem::create_directories(folder);
  const Image image(5, 4, {1, 2, 3});
  write_png(folder / "a.png", image);
  std::ifstream file(folder / "a.png", std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  const std::vector<std::byte> expected = encode_png(image);
  REQUIRE(bytes.size() == expected.size());
  CHECK(std::memcmp(bytes.data(), expected.data(), bytes.size()) == 0);
  CHECK(std::distance(std::filesystem::directory_iterator(folder), {}) == 1);
  std::filesystem::remove_all(folder);
}

TEST_CASE("every printable character but the space has its own shape") {
  std::vector<Image> seen;
  for (char c = '!'; c <= '~'; ++c) {
    Image image(20, 24);
    draw_text(image, 2, 2, std::string(1, c), Vec3::Ones(), 2);
    CHECK(pixels_with_ink(image) > 0);
    for (const Image& other : seen) CHECK(other.pixels != image.pixels);
    seen.push_back(image);
  }
}

TEST_CASE("text stays within its width and its line, at any scale") {
  const std::string text = "Stress [kPa] 0.25 {gjpqy}|@~";
  for (const int scale : {1, 2, 3}) {
    const int width = text_width(text, scale), height = text_height * scale, edge = 4;
    Image image(width + 2 * edge, height + 2 * edge);
    draw_text(image, edge, edge, text, Vec3::Ones(), scale);
    for (int y = 0; y < image.height; ++y)
      for (int x = 0; x < image.width; ++x) {
        // Brackets and bars of outline fonts are a little taller than capitals with their tails.
        const bool inside =
            x >= edge && x < edge + width && y >= edge - scale && y < edge + height + scale;
        if (!inside && image.at(x, y)[0] > 128) FAIL("ink outside at ", x, ", ", y);
      }
  }
}

TEST_CASE("digits are equally wide, and text off the image is clipped") {
  CHECK(text_width("111.11") == text_width("888.88"));
  CHECK(text_width("K\xc3\xa4se") < text_width("K??se"));  // one letter, not two bytes
  CHECK(text_width("K\xff") == text_width("K?"));          // no UTF-8
  Image image(8, 8);
  draw_text(image, -30, -4, "clipped text", Vec3::Ones(), 2);
  draw_text(image, 5, 5, "clipped text", Vec3::Ones(), 2);
  CHECK(image.pixels.size() == 64);
}

}  // namespace pliant
