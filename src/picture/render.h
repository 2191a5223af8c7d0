#pragma once

#include <memory>
#include <span>
#include <vector>

#include "picture/camera.h"
#include "picture/color.h"
#include "picture/image.h"
#include "picture/texture.h"

namespace pliant {

/// One body or collider of the picture. Borrows its arrays until render() returns.
struct ShotMesh {
  std::span<const Eigen::Vector3f> points;  // [m]
  std::span<const Triangle> triangles;
  Vec3 color = palette(0);
  double crease = 50;  // [degrees] edges that bend more look sharp

  /// One value per point, shown as colors of `map` instead of `color`; empty for none.
  std::span<const float> values = {};
  ColorMap map = ColorMap::steps;
  ValueRange range = {};

  /// Shown instead of `color` where there are no values; null for none.
  const ShotPaint* paint = nullptr;
};

/// An endless floor or wall, seen from the side its normal points to and open from behind.
struct ShotPlane {
  Vec3 point = Vec3::Zero();
  Vec3 normal = Vec3::UnitY();
};

/// The studio. The defaults are meant to be used.
struct Look {
  Vec3 background_top = {0.665, 0.700, 0.740};
  Vec3 background_bottom = {0.825, 0.837, 0.850};
  Vec3 ground = {0.870, 0.872, 0.872};
  double light_azimuth = -74;   // [degrees] from the camera, about y; negative = from the left
  double light_elevation = 46;  // [degrees]
  double light_radius = 8;      // [degrees] half the light's apparent size: the softness of shadows
  double exposure = 1;
};

/// All that is in one picture, as plain data.
struct Shot {
  Camera camera;
  std::vector<ShotMesh> meshes;
  std::vector<ShotPlane> planes;
  Look look;
};

struct RenderSettings {
  int width = 640;
  int height = 360;
  int samples =
      4;  // rays to lamp and sky of pixels that have some; 4 = film (the least), 32 = poster
  bool whole = false;  // every pixel by rays of its own: the judge of what films save
};

/// Distance between the grid lines on planes [m]: 1, 2 or 5 times a power of ten, about a dozen
/// across the picture.
double grid_spacing(const Camera& camera);

/// Draws shots. Soft shadows and ambient light by ray tracing, smoothed along surfaces; edges get
/// extra rays. The same shot gives the same bytes on any number of threads, and the sampling
/// pattern stands still from frame to frame. Keep one for a whole film: it keeps its buffers.
class Renderer {
 public:
  Renderer();
  ~Renderer();
  Renderer(Renderer&&) noexcept;
  Renderer& operator=(Renderer&&) noexcept;

  Image render(const Shot& shot, const RenderSettings& settings = {});

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

}  // namespace pliant
