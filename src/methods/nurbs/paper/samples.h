#pragma once

#include "methods/nurbs/net.h"

namespace pliant::nurbs::paper {

/// A place on a face where its polynomial is fitted.
struct SurfaceSample {
  int part = 0;
  PatchRow row = {};          // over the unknowns
  Vec3 place = Vec3::Zero();  // [m] at rest
  double area = 0;            // [m^2] of the quadrature
  double measure = 0;         // its weight in fits: `area`, or du dv
};

/// Samples of all faces, part by part. Whole faces: Gauss-Lobatto points, degree + 3 a span and
/// direction. Trimmed ones: the triangles of their domain, cut to half a span, with a rule of
/// three points; the paper's rows of points along u need 24 rows a span to find the area as well.
std::vector<SurfaceSample> sample_parts(const Net& net, bool by_parameter);

}  // namespace pliant::nurbs::paper
