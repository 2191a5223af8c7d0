#pragma once

#include <array>

#include "geometry/nurbs/patch.h"

namespace pliant {

// What models are put together from: flat faces, faces of revolution, blocks. All face outwards.

/// A piece of a curve in the half plane (distance from the axis, height), to be revolved.
struct Profile {
  std::string name;  // of its faces
  KnotVector knots;
  std::vector<Vec2> pole;
  std::vector<double> weight;
};

Profile straight(const std::string& name, const Vec2& from, const Vec2& to);
/// A quarter circle whose tangents at its ends meet in `corner`; in a box that is no square the
/// quarter of an ellipse.
Profile quarter(const std::string& name, const Vec2& from, const Vec2& corner, const Vec2& to);

/// Revolves pieces about y from x on, anticlockwise seen from above, by `quarters` of a turn: one
/// face for each quarter of each piece. They run upwards where outside is away from the axis.
std::vector<NurbsPatch> revolved(const std::vector<Profile>& profile, int quarters = 4);

/// A flat round face of one patch, whose sides are quarters from x on; outside is up or down.
NurbsPatch disc(const std::string& name, double radius, double height, bool is_up);

/// A bilinear face; outside is where its corners go anticlockwise.
NurbsPatch quad(const std::string& name, const Vec3& a, const Vec3& b, const Vec3& c,
                const Vec3& d);

/// A solid of four sides along z between two heights: `corner` goes anticlockwise seen from +z.
/// All six faces have the name.
std::vector<NurbsPatch> block(const std::string& name, const std::array<Vec2, 4>& corner,
                              double from, double to);
/// An upright block between two corners.
std::vector<NurbsPatch> block(const std::string& name, const Vec3& low, const Vec3& high);

/// Moves patches: linear x + shift. `linear` must not mirror.
std::vector<NurbsPatch> placed(std::vector<NurbsPatch> patches, const Mat3& linear,
                               const Vec3& shift = Vec3::Zero());

/// Adds the second to the first.
void append(std::vector<NurbsPatch>& patches, std::vector<NurbsPatch> more);

}  // namespace pliant
