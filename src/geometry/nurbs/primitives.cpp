#include "geometry/nurbs/primitives.h"

#include "core/assert.h"
#include "geometry/nurbs/sweep.h"

namespace pliant {

std::vector<NurbsPatch> nurbs_box(const Vec3& size) { return nurbs_beam(size, 1); }

std::vector<NurbsPatch> nurbs_beam(const Vec3& size, int sections) {
  ASSERT(sections >= 1, "a beam without sections");
  const Vec3 half = 0.5 * size;
  const auto corner = [&](double x, int y, int z) { return Vec3(x, y * half[1], z * half[2]); };
  std::vector<NurbsPatch> patches;
  const double from = -half[0], to = half[0];
  patches.push_back(quad("left", corner(from, -1, -1), corner(from, -1, 1), corner(from, 1, 1),
                         corner(from, 1, -1)));
  patches.push_back(
      quad("right", corner(to, -1, 1), corner(to, -1, -1), corner(to, 1, -1), corner(to, 1, 1)));
  for (int s = 0; s < sections; ++s) {
    const double a = -half[0] + size[0] * s / sections;
    const double b = -half[0] + size[0] * (s + 1) / sections;
    const std::string number = sections == 1 ? "" : "_" + std::to_string(s + 1);
    patches.push_back(quad("bottom" + number, corner(a, -1, -1), corner(b, -1, -1),
                           corner(b, -1, 1), corner(a, -1, 1)));
    patches.push_back(
        quad("top" + number, corner(a, 1, 1), corner(b, 1, 1), corner(b, 1, -1), corner(a, 1, -1)));
    patches.push_back(quad("front" + number, corner(a, -1, 1), corner(b, -1, 1), corner(b, 1, 1),
                           corner(a, 1, 1)));
    patches.push_back(quad("back" + number, corner(b, -1, -1), corner(a, -1, -1), corner(a, 1, -1),
                           corner(b, 1, -1)));
  }
  return patches;
}

std::vector<NurbsPatch> nurbs_cylinder(double radius, double height) {
  const double up = height / 2;
  std::vector<NurbsPatch> patches = revolved({straight("wall", {radius, -up}, {radius, up})});
  patches.push_back(disc("bottom", radius, -up, false));
  patches.push_back(disc("top", radius, up, true));
  return patches;
}

std::vector<NurbsPatch> nurbs_sphere(double radius) {
  const double r = radius;
  return revolved(
      {quarter("south", {0, -r}, {r, -r}, {r, 0}), quarter("north", {r, 0}, {r, r}, {0, r})});
}

std::vector<NurbsPatch> nurbs_torus(double ring, double tube) {
  ASSERT(ring > tube && tube > 0, "a torus without a hole");
  const double in = ring - tube, out = ring + tube, t = tube;
  return revolved({quarter("lower_outer", {ring, -t}, {out, -t}, {out, 0}),
                   quarter("upper_outer", {out, 0}, {out, t}, {ring, t}),
                   quarter("upper_inner", {ring, t}, {in, t}, {in, 0}),
                   quarter("lower_inner", {in, 0}, {in, -t}, {ring, -t})});
}

}  // namespace pliant
