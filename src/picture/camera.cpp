#include "picture/camera.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/assert.h"

namespace pliant {
namespace {

double radians(double degrees) { return degrees * std::numbers::pi / 180; }

// One axis of the picture. A corner at sideways coordinate s and depth f is inside when
//   s - x <= high (f - z)   and   x - s <= low (f - z)
// for an eye at sideways x and depth z. Each corner bounds x - high z and -x - low z from below.
struct Fit {
  double low, high;  // tangents towards the two edges
  double above = -std::numeric_limits<double>::infinity();
  double below = -std::numeric_limits<double>::infinity();

  void add(double s, double f) {
    above = std::max(above, s - high * f);
    below = std::max(below, -s - low * f);
  }
  double nearest() const { return -(above + below) / (low + high); }
  double sideways(double z) const { return 0.5 * ((above + high * z) - (below + low * z)); }
};

}  // namespace

Mat3 view_axes(const Camera& camera) {
  const Vec3 forward = (camera.target - camera.eye).normalized();
  Vec3 right = forward.cross(camera.up);
  if (right.norm() < 1e-9) right = forward.unitOrthogonal();  // looking straight up or down
  right.normalize();
  Mat3 axes;
  axes << right, right.cross(forward), forward;
  return axes;
}

Vec3 project(const Camera& camera, double aspect, const Vec3& point) {
  const Vec3 p = view_axes(camera).transpose() * (point - camera.eye);
  const double tangent = std::tan(radians(camera.fov) / 2);
  return {p.x() / (p.z() * tangent * aspect), p.y() / (p.z() * tangent), p.z()};
}

Camera frame_camera(const Box& content, double aspect, const Framing& framing) {
  ASSERT(aspect > 0 && framing.margin < 0.4 && framing.legend < 0.5,
         "room is left for the content");
  Box box = content;
  if (box.empty()) box = {Vec3::Constant(-0.5), Vec3::Constant(0.5)};
  const double extent = box.extent().maxCoeff();
  box.grow(extent > 1e-6 ? 1e-6 * extent : 1e-3);  // rounding; a single point becomes visible

  const double azimuth = radians(framing.azimuth), elevation = radians(framing.elevation);
  const Vec3 towards_eye = {std::sin(azimuth) * std::cos(elevation), std::sin(elevation),
                            std::cos(azimuth) * std::cos(elevation)};
  Camera camera;
  camera.fov = framing.fov;
  camera.target = box.centre();
  camera.eye = camera.target + towards_eye;
  const Mat3 axes = view_axes(camera);

  const double tangent = std::tan(radians(framing.fov) / 2);
  const double vertical = tangent * (1 - 2 * framing.margin);
  const double left = tangent * aspect * (1 - 2 * framing.margin);
  const double right = tangent * aspect * (1 - 2 * framing.margin - 2 * framing.legend);
  Fit x{.low = left, .high = right}, y{.low = vertical, .high = vertical};
  for (int corner = 0; corner < 8; ++corner) {
    const Vec3 p = {corner & 1 ? box.high.x() : box.low.x(),
                    corner & 2 ? box.high.y() : box.low.y(),
                    corner & 4 ? box.high.z() : box.low.z()};
    const Vec3 view = axes.transpose() * (p - box.centre());
    x.add(view.x(), view.z());
    y.add(view.y(), view.z());
  }
  const double z = std::min(x.nearest(), y.nearest());
  camera.eye = box.centre() + axes * Vec3(x.sideways(z), y.sideways(z), z);
  camera.target = camera.eye - z * axes.col(2);
  return camera;
}

}  // namespace pliant
