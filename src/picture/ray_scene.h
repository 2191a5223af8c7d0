#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "math/types.h"

namespace pliant {

struct Ray {
  Eigen::Vector3f origin;
  Eigen::Vector3f direction;  // any length; distances count in it
  float nearest = 0;          // nothing closer is hit
};

struct RayHit {
  int mesh = -1;  // in order of add(); -1 = nothing
  int triangle = 0;
  float u = 0, v = 0;  // weights of the triangle's second and third corner
  float distance = std::numeric_limits<float>::infinity();
  Eigen::Vector3f normal = Eigen::Vector3f::Zero();  // of the triangle, any length
};

/// Triangles prepared for rays; the only place that knows Embree. Building runs on the calling
/// thread, the questions may come from any number of threads.
class RayScene {
 public:
  RayScene();
  ~RayScene();
  RayScene(const RayScene&) = delete;
  RayScene& operator=(const RayScene&) = delete;

  void clear();
  /// Copies. Triangles with points that are not finite are left out.
  void add(std::span<const Eigen::Vector3f> points, std::span<const Triangle> triangles);
  void build();

  /// Rays are followed eight at a time: neighbours in `rays` should go similar ways.
  void find_hits(std::span<const Ray> rays, std::span<RayHit> hits, bool similar) const;
  /// 1 where anything is hit.
  void find_blocked(std::span<const Ray> rays, std::span<std::uint8_t> blocked) const;

 private:
  struct Embree;
  std::unique_ptr<Embree> embree_;
};

}  // namespace pliant
