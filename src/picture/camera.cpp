#include "picture/camera.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/assert.h"

namespace pliant {
namespace {

double radians(double degrees) { return degrees * std::numbers::pi / 180; }

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

CameraFit::CameraFit(double aspect, const Framing& framing) : fov_(framing.fov) {
  ASSERT(aspect > 0 && framing.margin < 0.4 && framing.legend < 0.5,
         "room is left for the content");
  const double azimuth = radians(framing.azimuth), elevation = radians(framing.elevation);
  Camera towards;
  towards.target = Vec3::Zero();
  towards.eye = {std::sin(azimuth) * std::cos(elevation), std::sin(elevation),
                 std::cos(azimuth) * std::cos(elevation)};
  axes_ = view_axes(towards);
  const double tangent = std::tan(radians(fov_) / 2);
  const double vertical = tangent * (1 - 2 * framing.margin);
  x_.low = vertical * aspect;
  x_.high = tangent * aspect * (1 - 2 * framing.margin - 2 * framing.legend);
  y_.low = y_.high = vertical;
}

void CameraFit::add(const Vec3& point) {
  if (!origin_) origin_ = point;
  const Vec3 view = axes_.transpose() * (point - *origin_);
  x_.add(view.x(), view.z());
  y_.add(view.y(), view.z());
  low_depth_ = std::min(low_depth_, view.z());
  high_depth_ = std::max(high_depth_, view.z());
}

Camera CameraFit::camera() const {
  if (!origin_) {
    CameraFit metre = *this;
    for (const double side : {-0.5, 0.5}) metre.add(Vec3::Constant(side));
    return metre.camera();
  }
  const double z = std::min(x_.nearest(), y_.nearest());
  Camera camera;
  camera.fov = fov_;
  camera.eye = *origin_ + axes_ * Vec3(x_.sideways(z), y_.sideways(z), z);
  camera.target = camera.eye + (0.5 * (low_depth_ + high_depth_) - z) * axes_.col(2);
  return camera;
}

Camera frame_camera(const Box& content, double aspect, const Framing& framing) {
  Box box = content;
  if (box.empty()) box = {Vec3::Constant(-0.5), Vec3::Constant(0.5)};
  const double extent = box.extent().maxCoeff();
  box.grow(extent > 1e-6 ? 1e-6 * extent : 1e-3);  // rounding; a single point becomes visible
  CameraFit fit(aspect, framing);
  for (int corner = 0; corner < 8; ++corner)
    fit.add({corner & 1 ? box.high.x() : box.low.x(), corner & 2 ? box.high.y() : box.low.y(),
             corner & 4 ? box.high.z() : box.low.z()});
  return fit.camera();
}

}  // namespace pliant
