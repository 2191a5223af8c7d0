#include "geometry/nurbs/primitives.h"
#include "geometry/nurbs/sweep.h"

namespace pliant {
namespace {

constexpr double radius = 0.12, half_height = 0.12;  // [m]
constexpr double wall = 0.03, floor_height = 0.035;
constexpr double ring = 0.065, tube = 0.02;  // of the handle
constexpr double reach = 0.195;              // [m] of the handle from the axis

std::vector<NurbsPatch> cup() {
  const double h = half_height, r = radius - wall, f = floor_height - h;
  std::vector<NurbsPatch> patches =
      revolved({straight("wall", {radius, -h}, {radius, h}), straight("rim", {radius, h}, {r, h}),
                straight("inside", {r, h}, {r, f})});
  patches.push_back(disc("bottom", radius, -h, false));
  patches.push_back(disc("floor", r, f, true));
  return patches;
}

/// Half a ring whose flat ends look towards -x, at x = 0, reaching to x = 1.
std::vector<NurbsPatch> handle() {
  const double in = ring - tube, out = ring + tube, t = tube;
  std::vector<NurbsPatch> bow = revolved({quarter("handle", {ring, -t}, {out, -t}, {out, 0}),
                                          quarter("handle", {out, 0}, {out, t}, {ring, t}),
                                          quarter("handle", {ring, t}, {in, t}, {in, 0}),
                                          quarter("handle", {in, 0}, {in, -t}, {ring, -t})},
                                         2);
  // From x over -z to -x about y, so the ends face z.
  Mat3 forwards;
  forwards << 1, 0, 0, 0, 0, -1, 0, 1, 0;  // y to z
  for (const double x : {ring, -ring})
    append(bow, placed({disc("handle", t, 0, true)}, forwards, {x, 0, 0}));
  Mat3 sideways;  // z to -x, x to -y, y to z
  sideways << 0, 0, -1, -1, 0, 0, 0, 1, 0;
  return placed(bow, sideways / out);
}

}  // namespace

std::vector<NurbsPatch> nurbs_mug(bool deep) {
  std::vector<NurbsPatch> patches = cup();
  // Within the wall, or through it into the cup.
  const double end = deep ? radius - wall - 0.02 : radius - 0.5 * wall;
  const Vec3 size(reach - end, ring + tube, ring + tube);
  append(patches, placed(handle(), size.asDiagonal(), {end, 0, 0}));
  return patches;
}

}  // namespace pliant
