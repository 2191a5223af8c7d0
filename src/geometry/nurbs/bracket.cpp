#include "geometry/nurbs/flat_face.h"
#include "geometry/nurbs/primitives.h"
#include "geometry/nurbs/sweep.h"

namespace pliant {
namespace {

// An L of constant thickness, extruded along z, its foot drilled twice. [m]
constexpr double left = -0.15, right = 0.15, bottom = -0.12, top = 0.12;
constexpr double thickness = 0.04, half_width = 0.1;
constexpr double hole_x = 0.04, hole_z = 0.05, hole_radius = 0.03;
constexpr double foot = bottom + thickness, back = left + thickness;

/// Seen from +z: x to the right, y up; the inner corner first, from which all others are seen.
const std::vector<Vec2> outline = {{back, foot},   {back, top},     {left, top},
                                   {left, bottom}, {right, bottom}, {right, foot}};

/// The other side of it: mirrored, so turned round.
std::vector<Vec2> from_behind() {
  std::vector<Vec2> corners;
  for (std::size_t i = 0; i < outline.size(); ++i) {
    const Vec2& c = outline[(outline.size() - i) % outline.size()];
    corners.emplace_back(c.y(), c.x());
  }
  return corners;
}

}  // namespace

std::vector<NurbsPatch> nurbs_bracket() {
  const double w = half_width;
  const auto side = [&](const std::string& name, const Vec2& from, const Vec2& to) {
    return quad(name, {from.x(), from.y(), w}, {from.x(), from.y(), -w}, {to.x(), to.y(), -w},
                {to.x(), to.y(), w});
  };
  std::vector<NurbsPatch> patches = {
      flat_polygon("front", {{0, 0, w}, Vec3::UnitX(), Vec3::UnitY()}, outline),
      flat_polygon("rear", {{0, 0, -w}, Vec3::UnitY(), Vec3::UnitX()}, from_behind()),
      side("end", {right, bottom}, {right, foot}),
      side("inside", {back, foot}, {back, top}),
      side("top", {back, top}, {left, top}),
      side("back", {left, top}, {left, bottom}),
  };
  const auto cell = [](const Vec2& low, const Vec2& high, const Vec2& centre) {
    return Drilled{low, high, centre, hole_radius};
  };
  patches.push_back(flat_plate("foot", {{0, foot, 0}, Vec3::UnitZ(), Vec3::UnitX()},
                               {cell({-w, back}, {0, right}, {-hole_z, hole_x}),
                                cell({0, back}, {w, right}, {hole_z, hole_x})}));
  patches.push_back(flat_plate("bottom", {{0, bottom, 0}, Vec3::UnitX(), Vec3::UnitZ()},
                               {cell({left, -w}, {right, 0}, {hole_x, -hole_z}),
                                cell({left, 0}, {right, w}, {hole_x, hole_z})}));
  const char* const names[] = {"hole_1", "hole_2"};
  for (int k = 0; k < 2; ++k)
    append(patches,
           placed(revolved({straight(names[k], {hole_radius, foot}, {hole_radius, bottom})}),
                  Mat3::Identity(), {hole_x, 0, k == 0 ? -hole_z : hole_z}));
  return patches;
}

}  // namespace pliant
