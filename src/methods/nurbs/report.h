#pragma once

#include "body/body.h"
#include "methods/nurbs/kinematics.h"

namespace pliant::nurbs {

/// What was chosen for a body and why, how long it took, and what is too coarse: its notes, stages
/// and warnings. `loose`: points of triangles among its nodes.
void report(const Kinematics& made, const KinematicsSettings& settings, int loose,
            int energy_points, Body& body);

}  // namespace pliant::nurbs
