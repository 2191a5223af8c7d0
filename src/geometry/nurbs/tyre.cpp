#include "geometry/nurbs/primitives.h"
#include "geometry/nurbs/sweep.h"

namespace pliant {

std::vector<NurbsPatch> nurbs_tyre() {
  const double in = 0.16, out = 0.3, w = 0.09, s = 0.05;  // [m] s: of the rounded shoulders
  std::vector<NurbsPatch> patches =
      revolved({straight("tyre", {in, -w}, {out - s, -w}),
                quarter("tyre", {out - s, -w}, {out, -w}, {out, s - w}),
                straight("tread", {out, s - w}, {out, w - s}),
                quarter("tyre", {out, w - s}, {out, w}, {out - s, w}),
                straight("tyre", {out - s, w}, {in, w}), straight("tyre", {in, w}, {in, -w})});
  const double rim = 0.18, h = 0.06;
  append(patches, revolved({straight("hub", {rim, -h}, {rim, h})}));
  patches.push_back(disc("hub", rim, -h, false));
  patches.push_back(disc("hub", rim, h, true));
  Mat3 upright;  // y to z, about x
  upright << 1, 0, 0, 0, 0, -1, 0, 1, 0;
  return placed(patches, upright);
}

}  // namespace pliant
