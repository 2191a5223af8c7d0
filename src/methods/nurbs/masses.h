#pragma once

#include "methods/shared/galerkin/points.h"

namespace pliant::nurbs {

/// One mass per node, all positive, such that the kinetic energy of every affine motion, the weight
/// and its torque are those of the solid: total, first and second moments are exact. Row sums of
/// the mass matrix are not positive here, since control points lie outside of what they move.
/// Starts from masses in proportion to the diagonal of the mass matrix and changes them least, by
/// entropy. Where particles are too few to carry second moments, first moments are exact.
std::vector<double> lumped_masses(const galerkin::Points& points,
                                  const std::vector<double>& density,
                                  const std::vector<Vec3>& nodes);

}  // namespace pliant::nurbs
