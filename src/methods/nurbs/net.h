#pragma once

#include <vector>

#include "geometry/nurbs/patch.h"
#include "geometry/sample/occupancy.h"

namespace pliant::nurbs {

/// Limits of lengths that follow the thickness of the solid, as shares of its longest side.
struct Lengths {
  double least = 0;  // [m]
  double most = 0;   // [m]
};

/// How fine the net of a face is for the solid behind it.
struct FaceDetail {
  double area = 0;       // [m^2]
  double thickness = 0;  // [m] the middle value behind it
  double span = 0;       // [m] the longest one
};

/// The control points of a model as unknowns: those of different patches at one place are one.
struct Net {
  std::vector<NurbsPatch> patches;
  std::vector<Vec3> point;              // [m] the unknowns at rest
  std::vector<std::vector<int>> nodes;  // per patch: the unknown of each pole
  int given = 0;                        // control points before
  std::vector<FaceDetail> detail;       // per patch; empty where nobody looked

  /// A point of a patch over the unknowns.
  PatchRow row(int patch, const Vec2& uv) const;
  /// [m] Where that is at rest.
  Vec3 place(const PatchRow& row) const;
};

/// Raises degree 1 to 2 and inserts knots until no span is longer than `spans` thicknesses of the
/// solid behind it, then welds; 0: leaves the net as it is. The surface stays where it is.
Net make_net(std::vector<NurbsPatch> patches, const Occupancy& solid, const Lengths& lengths,
             double spans);

/// The patches as they are; control points of different ones stay apart unless they are to be
/// welded.
Net join_poles(std::vector<NurbsPatch> patches, bool weld);

}  // namespace pliant::nurbs
