#pragma once

#include <span>
#include <vector>

#include "body/body.h"
#include "contact/colliders/collider.h"
#include "core/function_ref.h"

namespace pliant {

/// Colliders that cut, on their way through bodies. A blade is a box without its shortest side: a
/// rectangle, whose sweep in its own plane is what it has cut. A piece is parted when that covers
/// all of its section, and not before, as half a cut has no closed surface. A blade that stands in
/// a piece, or moves across its own plane, cuts nothing.
class Blades {
 public:
  /// After a step from `begin` to `end` [s]. `cut` is told what to part.
  void follow(std::span<const Body> bodies, std::span<const Collider> colliders, double begin,
              double end, FunctionRef<bool(BodyId, const Cut&)> cut);

  /// To be called with the ids up to date.
  void archive(Archive& archive, std::span<const Body> bodies, std::span<const Collider> colliders);

 private:
  struct Pass {
    ColliderId blade;
    BodyId body;
    std::vector<Vec3> corners;  // [m] four for each place of the blade, the first before it came in

    bool go_to(std::span<const Vec3> at, double thickness);
    Cut cut() const;
  };
  Pass& pass_of(const Collider& blade, const Body& body);

  std::vector<Pass> passes_;
};

}  // namespace pliant
