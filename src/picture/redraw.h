#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "picture/box_set.h"
#include "picture/stage.h"

namespace pliant {

/// What differs between a shot and the one drawn before it. In a film little does: what moved and
/// the light around it. All else is kept from the frame before, byte for byte.
class Redraw {
 public:
  /// Takes the next shot. False: nothing of the picture before can be kept, as the camera, the
  /// look, the planes or the number of meshes changed.
  bool follow(const Shot& shot, const RenderSettings& settings);

  /// Whether the two shots give the same picture. Only after follow() returned true.
  bool is_same() const { return moved_.empty(); }

  /// Sets `flag` where an eye ray may meet what moved, at its old or its new place. False when that
  /// cannot be told, as something reaches behind the eye.
  bool mark_seen(const View& view, std::uint8_t flag, std::span<std::uint8_t> pixels) const;

  /// What moved, at its old and its new place.
  const BoxSet& moved() const { return moved_; }

 private:
  /// A mesh as it was drawn.
  struct Drawn {
    std::vector<Eigen::Vector3f> points;
    std::vector<Triangle> triangles;
    std::vector<float> values;
    Vec3 color = Vec3::Zero();
    double crease = 0;
    ColorMap map = ColorMap::steps;
    ValueRange range;
    const ShotPaint* paint = nullptr;
    int paint_revision = 0;

    bool is(const ShotMesh& mesh) const;
    void take(const ShotMesh& mesh);
  };
  bool any_ = false;  // a shot was taken
  Camera camera_;
  Look look_;
  RenderSettings settings_;
  std::vector<ShotPlane> planes_;
  std::vector<Drawn> drawn_;
  BoxSet moved_;             // at old and new places
  BoxSet moved_closely_{8};  // the same for the eye: each box of it is looked at once, not by rays
};

}  // namespace pliant
