#include <numbers>

#include "geometry/nurbs/primitives.h"
#include "geometry/nurbs/sweep.h"

namespace pliant {

std::vector<NurbsPatch> nurbs_rocket() {
  const double r = 0.1;
  std::vector<NurbsPatch> patches = revolved(
      {straight("hull", {r, -0.3}, {r, 0.1}), quarter("nose", {r, 0.1}, {r, 0.28}, {0, 0.42})});
  const std::vector<NurbsPatch> fin =
      block("fin", {Vec2(0.07, -0.28), {0.22, -0.38}, {0.22, -0.24}, {0.07, -0.06}}, -0.02, 0.02);
  for (int k = 0; k < 4; ++k) {
    // Between the seams of the hull.
    const Eigen::AngleAxisd turn(std::numbers::pi / 2 * (k + 0.5), Vec3::UnitY());
    append(patches, placed(fin, turn.toRotationMatrix()));
  }
  return patches;
}

}  // namespace pliant
