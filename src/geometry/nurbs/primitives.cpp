#include "geometry/nurbs/primitives.h"

#include <cmath>
#include <numbers>

#include "core/assert.h"

namespace pliant {
namespace {

const KnotVector line{1, {0, 0, 1, 1}};
const KnotVector arc{2, {0, 0, 0, 1, 1, 1}};
// The weight of the middle pole of a quarter circle.
const double half_root = std::numbers::sqrt2 / 2;

/// A bilinear face; outside is where its corners go anticlockwise.
NurbsPatch quad(const std::string& name, const Vec3& a, const Vec3& b, const Vec3& c,
                const Vec3& d) {
  NurbsPatch patch;
  patch.name = name;
  patch.u = line;
  patch.v = line;
  patch.pole = {a, d, b, c};
  patch.weight.assign(4, 1);
  cover_rectangle(patch);
  return patch;
}

/// A piece of a curve in the half plane (distance from the axis, height), to be revolved about y.
struct Profile {
  std::string name;
  KnotVector knots;
  std::vector<Vec2> pole;
  std::vector<double> weight;
};

Profile straight(const std::string& name, const Vec2& from, const Vec2& to) {
  return {name, line, {from, to}, {1, 1}};
}

/// A quarter circle from `from` to `to`, whose tangents there meet in `corner`.
Profile quarter(const std::string& name, const Vec2& from, const Vec2& corner, const Vec2& to) {
  return {name, arc, {from, corner, to}, {1, half_root, 1}};
}

/// Four faces a piece. The profile runs upwards where outside is away from the axis.
std::vector<NurbsPatch> revolved(const std::vector<Profile>& profile) {
  std::vector<NurbsPatch> patches;
  // Anticlockwise about y, seen from above: x, -z, -x, z.
  const Vec3 direction[] = {Vec3::UnitX(), -Vec3::UnitZ(), -Vec3::UnitX(), Vec3::UnitZ()};
  for (const Profile& piece : profile) {
    for (int q = 0; q < 4; ++q) {
      const Vec3 from = direction[q], to = direction[(q + 1) % 4];
      NurbsPatch patch;
      patch.name = piece.name + "_" + std::to_string(q + 1);
      patch.u = piece.knots;
      patch.v = arc;
      for (std::size_t i = 0; i < piece.pole.size(); ++i) {
        const double r = piece.pole[i][0];
        const Vec3 up = piece.pole[i][1] * Vec3::UnitY();
        patch.pole.insert(patch.pole.end(), {r * from + up, r * (from + to) + up, r * to + up});
        const double w = piece.weight[i];
        patch.weight.insert(patch.weight.end(), {w, w * half_root, w});
      }
      cover_rectangle(patch, true);  // u upwards, v to the left seen from outside
      patches.push_back(std::move(patch));
    }
  }
  return patches;
}

}  // namespace

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
  return revolved({straight("bottom", {0, -up}, {radius, -up}),
                   straight("wall", {radius, -up}, {radius, up}),
                   straight("top", {radius, up}, {0, up})});
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
