#include "picture/render.h"

#include <doctest/doctest.h>
#include <limits>

#include "core/parallel.h"
#include "geometry/mesh/primitives.h"
#include "picture/light.h"

namespace pliant {
namespace {

using Eigen::Vector3f;

struct Ball {
  std::vector<Vector3f> points;
  std::vector<Triangle> triangles;
};

Ball ball_on_floor() {
  const TriangleMesh mesh = sphere_mesh(0.5, 0.08);
  Ball ball{.points = {}, .triangles = mesh.triangles};
  for (const Vec3& p : mesh.points) ball.points.push_back((p + Vec3(0, 0.5, 0)).cast<float>());
  return ball;
}

Shot shot_of(const Ball& ball, const Box& content = {Vec3(-0.5, 0, -0.5), Vec3(0.5, 1, 0.5)}) {
  Shot shot;
  shot.camera = frame_camera(content, 16.0 / 9);
  shot.meshes.push_back({.points = ball.points, .triangles = ball.triangles});
  shot.planes.push_back({});
  return shot;
}

constexpr RenderSettings small{.width = 160, .height = 90, .samples = 4};

int brightness(const Image& image, const Camera& camera, const Vec3& point) {
  const Vec3 q = project(camera, double(image.width) / image.height, point);
  const Image::Pixel& pixel =
      image.at(int((q.x() + 1) / 2 * image.width), int((1 - q.y()) / 2 * image.height));
  return pixel[0] + pixel[1] + pixel[2];
}

}  // namespace

TEST_CASE("a picture is the same on one and on three threads, and the second time") {
  const Ball ball = ball_on_floor();
  const Shot shot = shot_of(ball);
  Renderer renderer;
  set_threads(1);
  const std::vector<std::byte> one = encode_png(renderer.render(shot, small));
  set_threads(3);
  const std::vector<std::byte> three = encode_png(renderer.render(shot, small));
  const std::vector<std::byte> fresh = encode_png(Renderer().render(shot, small));
  set_threads(0);
  CHECK(one == three);
  CHECK(one == fresh);
}

TEST_CASE("films look like pictures of which every pixel has rays of its own") {
  const Ball ball = ball_on_floor();
  const Shot shot = shot_of(ball);
  RenderSettings settings{.width = 320, .height = 180, .samples = 4};
  const Image film = Renderer().render(shot, settings);
  settings.whole = true;
  const Image whole = Renderer().render(shot, settings);
  double sum = 0;
  int worst = 0;
  for (std::size_t p = 0; p < film.pixels.size(); ++p)
    for (std::size_t c = 0; c < 3; ++c) {
      const int apart = std::abs(int(film.pixels[p][c]) - int(whole.pixels[p][c]));
      sum += apart;
      worst = std::max(worst, apart);
    }
  CHECK(sum > 0);
  CHECK(sum / (3 * 255.0 * double(film.pixels.size())) < 0.005);
  CHECK(worst < 40);
}

TEST_CASE("what is kept of the frame before has the bytes of a picture drawn anew") {
  const Ball ball = ball_on_floor();
  std::vector<Ball> moving = {ball, ball, ball};
  for (Vector3f& p : moving[1].points) p += Vector3f(1.2f, 0, -0.4f);
  for (Vector3f& p : moving[2].points) p += Vector3f(-1.1f, 0, 0.3f);
  const auto shot = [&] {
    Shot all = shot_of(moving[0], {Vec3(-1.5, 0, -1), Vec3(1.5, 1.5, 1)});
    for (int b : {1, 2})
      all.meshes.push_back({.points = moving[b].points, .triangles = moving[b].triangles});
    all.planes.push_back({.point = Vec3(0, 0, -3), .normal = Vec3::UnitZ()});
    return all;
  };
  const RenderSettings settings{.width = 200, .height = 112, .samples = 4};
  Renderer kept;
  kept.render(shot(), settings);
  const Vector3f steps[] = {{0, 0.2f, 0}, {0.01f, 0, 0}, {0, 0, 0}, {-0.3f, 0.3f, 0.1f}, {0, 9, 0}};
  int b = 0;
  for (const Vector3f& step : steps) {
    for (Vector3f& p : moving[b % 3].points) p += step;
    const Image image = kept.render(shot(), settings);
    CHECK(image.pixels == Renderer().render(shot(), settings).pixels);
    ++b;
  }
}

TEST_CASE("a ball darkens the floor beneath it and on the side away from the light") {
  const Ball ball = ball_on_floor();
  const Shot shot = shot_of(ball, {Vec3(-1.5, 0, -1.5), Vec3(1.5, 1, 1.5)});
  const Image image = Renderer().render(shot, {.width = 320, .height = 180});
  const Vector3f key = Light(shot.look, shot.camera).key_direction();
  const Vec3 away = Vec3(-key.x(), 0, -key.z()).normalized();
  const int open = brightness(image, shot.camera, -1.3 * away);
  CHECK(brightness(image, shot.camera, 0.6 * away) < 0.8 * open);
  // Near the point of contact, in front of the ball: no direct shadow there, but less sky.
  const Vec3 front = Vec3(shot.camera.eye.x(), 0, shot.camera.eye.z()).normalized();
  CHECK(brightness(image, shot.camera, 0.18 * front) < 0.95 * open);
}

TEST_CASE("shadows are soft: between lit and dark there are many steps") {
  const Ball ball = ball_on_floor();
  const Shot shot = shot_of(ball, {Vec3(-1.5, 0, -1.5), Vec3(1.5, 1, 1.5)});
  const Image image = Renderer().render(shot, {.width = 320, .height = 180});
  const Vector3f key = Light(shot.look, shot.camera).key_direction();
  const Vec3 away = Vec3(-key.x(), 0, -key.z()).normalized();
  int previous = 0, largest = 0, first = 0, last = 0;
  for (int i = 0; i <= 60; ++i) {
    last = brightness(image, shot.camera, (0.6 + 0.9 * i / 60) * away);
    if (i == 0) first = last;
    else largest = std::max(largest, std::abs(last - previous));
    previous = last;
  }
  CHECK(last > first + 60);
  CHECK(largest < 0.4 * (last - first));
}

TEST_CASE("nothing is blown out or black in the standard look") {
  const Ball ball = ball_on_floor();
  Shot shot = shot_of(ball);
  Renderer renderer;
  for (int i = 0; i < 8; ++i) {
    shot.meshes[0].color = palette(i);
    const Image image = renderer.render(shot, small);
    for (const Image::Pixel& pixel : image.pixels) {
      CHECK(std::max({pixel[0], pixel[1], pixel[2]}) > 25);
      CHECK(std::min({pixel[0], pixel[1], pixel[2]}) < 250);
    }
  }
}

TEST_CASE("field values become colors of the map") {
  const Ball ball = ball_on_floor();
  Shot shot = shot_of(ball);
  std::vector<float> values(ball.points.size());
  shot.meshes[0].values = values;
  shot.meshes[0].map = ColorMap::signs;
  shot.meshes[0].range = {-1, 1};
  Renderer renderer;
  const auto middle = [&](float value) {
    std::fill(values.begin(), values.end(), value);
    return renderer.render(shot, small).at(80, 45);
  };
  const Image::Pixel low = middle(-1), high = middle(1), none = middle(0);
  CHECK(low[2] > low[0] + 60);
  CHECK(high[0] > high[2] + 60);
  CHECK(std::abs(none[0] - none[2]) < 25);
  CHECK(middle(5) == high);  // clipped
  const Image::Pixel unknown = middle(std::numeric_limits<float>::quiet_NaN());
  CHECK(std::abs(unknown[0] - unknown[2]) < 40);
}

TEST_CASE("points that are not finite lose their triangles, not the picture") {
  Ball ball = ball_on_floor();
  const Image whole = Renderer().render(shot_of(ball), small);
  ball.points[0].setConstant(std::numeric_limits<float>::quiet_NaN());
  ball.points[1].setConstant(std::numeric_limits<float>::infinity());
  const Image broken = Renderer().render(shot_of(ball), small);
  int different = 0;
  for (std::size_t i = 0; i < whole.pixels.size(); ++i)
    different += whole.pixels[i] != broken.pixels[i];
  CHECK(different < int(whole.pixels.size()) / 5);
}

TEST_CASE("an empty shot is background, and so is a floor seen from below") {
  Shot shot;
  const Image empty = Renderer().render(shot, small);
  shot.planes.push_back({.point = Vec3(0, 100, 0)});
  CHECK(Renderer().render(shot, small).pixels == empty.pixels);
}

TEST_CASE("grid lines are 1, 2 or 5 times a power of ten apart") {
  for (double distance = 0.01; distance < 1000; distance *= 1.3) {
    const double cell = grid_spacing({.eye = Vec3(0, 0, distance), .target = Vec3::Zero()});
    const double lead = cell / std::pow(10.0, std::floor(std::log10(cell) + 1e-9));
    CHECK((std::abs(lead - 1) < 1e-9 || std::abs(lead - 2) < 1e-9 || std::abs(lead - 5) < 1e-9));
    CHECK(distance / cell > 5);
    CHECK(distance / cell < 30);
  }
}

TEST_CASE("aligned blocks of the even set have one point in each cell") {
  for (const int first : {0, 16, 48, 112}) {
    std::array<int, 16> cells{};
    for (int i = first; i < first + 16; ++i) {
      const Eigen::Vector2f p = even_point(i);
      ++cells[std::size_t(int(p.x() * 4) + 4 * int(p.y() * 4))];
    }
    for (const int count : cells) CHECK(count == 1);
  }
}

}  // namespace pliant
