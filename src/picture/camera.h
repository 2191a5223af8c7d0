#pragma once

#include "math/types.h"

namespace pliant {

struct Camera {
  Vec3 eye = {2, 1.5, 3};
  Vec3 target = Vec3::Zero();
  Vec3 up = Vec3::UnitY();
  double fov = 30;  // [degrees] from the lower to the upper edge of the picture
};

/// Where to look from and what to leave free. Lengths are fractions of the picture's width or
/// height.
struct Framing {
  double azimuth = 32;    // [degrees] about y; 0 looks along -z, positive comes from +x
  double elevation = 17;  // [degrees] above the horizon
  double fov = 28;        // [degrees] vertical; narrow, as for a product shot
  double margin = 0.09;   // on each side
  double legend = 0;      // kept free on the right besides, see legend_room()
};

/// The closest camera of that direction that has the whole box inside the margins. `aspect` is
/// width over height. An empty box counts as a metre around the origin.
Camera frame_camera(const Box& content, double aspect, const Framing& framing = {});

/// Right, up and forward: the axes of the picture, unit length.
Mat3 view_axes(const Camera& camera);

/// Where a point appears: x and y in [-1, 1] inside the picture (y up), z = depth [m], <= 0 behind.
Vec3 project(const Camera& camera, double aspect, const Vec3& point);

}  // namespace pliant
