#include "picture/camera.h"

#include <doctest/doctest.h>

#include "core/random.h"

namespace pliant {
namespace {

struct Extent {
  double left = 1, right = -1, bottom = 1, top = -1, nearest = 1e300;
};

Extent seen_extent(const Camera& camera, double aspect, const Box& box) {
  Extent seen;
  for (int corner = 0; corner < 8; ++corner) {
    const Vec3 p = {corner & 1 ? box.high.x() : box.low.x(),
                    corner & 2 ? box.high.y() : box.low.y(),
                    corner & 4 ? box.high.z() : box.low.z()};
    const Vec3 q = project(camera, aspect, p);
    seen.left = std::min(seen.left, q.x());
    seen.right = std::max(seen.right, q.x());
    seen.bottom = std::min(seen.bottom, q.y());
    seen.top = std::max(seen.top, q.y());
    seen.nearest = std::min(seen.nearest, q.z());
  }
  return seen;
}

Box random_box(int i) {
  Vec3 centre, half;
  for (int c = 0; c < 3; ++c) {
    centre[c] = 20 * random_unit(1, 6 * i + c) - 10;
    half[c] = std::pow(10.0, 4 * random_unit(1, 6 * i + 3 + c) - 3);  // 1 mm to 10 m
  }
  return {centre - half, centre + half};
}

}  // namespace

TEST_CASE("the framed camera has all corners of any box inside its margins, and touches one") {
  for (int i = 0; i < 100; ++i) {
    const Framing framing{.azimuth = 360 * random_unit(2, i),
                          .elevation = 50 * random_unit(3, i),
                          .margin = 0.05,
                          .legend = i % 2 ? 0.2 : 0};
    const double aspect = 0.5 + 2 * random_unit(4, i);
    const Box box = random_box(i);
    const Extent seen = seen_extent(frame_camera(box, aspect, framing), aspect, box);
    const double edge = 0.9, right = edge - 2 * framing.legend;
    CHECK(seen.nearest > 0);
    CHECK(seen.left >= -edge);
    CHECK(seen.right <= right);
    CHECK(seen.bottom >= -edge);
    CHECK(seen.top <= edge);
    // As close as possible: it fills the width or the height, but for the small slack of the box.
    const bool fills_width = seen.right - seen.left > 0.98 * (right + edge);
    const bool fills_height = seen.top - seen.bottom > 0.98 * 2 * edge;
    CHECK((fills_width || fills_height));
  }
}

TEST_CASE("points are framed closer than the box around them, all inside the margins") {
  const double aspect = 16.0 / 9;
  CameraFit fit(aspect);
  Box box;
  std::vector<Vec3> points;
  for (int i = 0; i < 500; ++i) {
    const Vec3 p(random_unit(9, 3 * i) - 0.5, random_unit(9, 3 * i + 1) - 0.5,
                 random_unit(9, 3 * i + 2) - 0.5);
    points.push_back(Vec3(1000, 3, -200) + p.normalized());
    fit.add(points.back());
    box.add(points.back());
  }
  const Camera camera = fit.camera();
  double farthest = 0;
  for (const Vec3& p : points) {
    const Vec3 seen = project(camera, aspect, p);
    CHECK(std::max(std::abs(seen.x()), std::abs(seen.y())) < 0.85 + 1e-9);
    farthest = std::max(farthest, std::abs(seen.y()));
  }
  CHECK(farthest == doctest::Approx(0.85));
  const Camera around_box = frame_camera(box, aspect);
  CHECK((camera.eye - camera.target).norm() < 0.8 * (around_box.eye - around_box.target).norm());
  CHECK((camera.target - Vec3(1000, 3, -200)).norm() < 0.1);
  CHECK(CameraFit(aspect).camera().eye.allFinite());
}

TEST_CASE("an empty box and a single point give a usable camera") {
  Box point;
  point.add(Vec3(3, 4, 5));
  for (const Box& box : {Box(), point}) {
    const Camera camera = frame_camera(box, 16.0 / 9);
    CHECK(camera.eye.allFinite());
    CHECK((camera.eye - camera.target).norm() > 0);
  }
}

TEST_CASE("the picture's axes are orthonormal and right-handed, even straight down") {
  for (const Vec3& eye : {Vec3(1, 2, 3), Vec3(0, 5, 0), Vec3(0, -5, 0)}) {
    const Mat3 axes = view_axes({.eye = eye});
    CHECK((axes.transpose() * axes - Mat3::Identity()).norm() < 1e-12);
    CHECK(axes.determinant() == doctest::Approx(-1));  // right, up, forward
  }
}

}  // namespace pliant
