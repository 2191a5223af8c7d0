#pragma once

#include <algorithm>
#include <limits>
#include <optional>

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
  double margin = 0.075;  // on each side: captions fit, and what falls fills a sixth
  double legend = 0;      // kept free on the right besides, see legend_room()
};

/// Finds the closest camera of that direction that has all points inside the margins. `aspect` is
/// width over height.
class CameraFit {
 public:
  CameraFit(double aspect, const Framing& framing = {});

  void add(const Vec3& point);
  /// Without any point: of a metre around the origin.
  Camera camera() const;

 private:
  // One axis of the picture. A point at sideways coordinate s and depth f is inside when
  //   s - x <= high (f - z)   and   x - s <= low (f - z)
  // for an eye at sideways x and depth z. Each point bounds x - high z and -x - low z from below.
  struct Side {
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

  double fov_;
  Mat3 axes_;
  Side x_, y_;
  std::optional<Vec3> origin_;  // the first point: far from zero, differences keep their digits
  double low_depth_ = 0, high_depth_ = 0;
};

/// The closest camera of that direction that has the whole box inside the margins. `aspect` is
/// width over height. An empty box counts as a metre around the origin.
Camera frame_camera(const Box& content, double aspect, const Framing& framing = {});

/// Right, up and forward: the axes of the picture, unit length.
Mat3 view_axes(const Camera& camera);

/// Where a point appears: x and y in [-1, 1] inside the picture (y up), z = depth [m], <= 0 behind.
Vec3 project(const Camera& camera, double aspect, const Vec3& point);

}  // namespace pliant
