#pragma once

#include "methods/nurbs/kinematics.h"

namespace pliant::nurbs::paper {

/// The kinematics of the paper (Trusty, Chen, Levin 2021), which this house's default replaces: one
/// polynomial per face, blended inside, gradients for weights that do not change. Right to a factor
/// of about three in stiffness; for the paper's figures and for comparison.
Kinematics make_paper_kinematics(const std::vector<NurbsPatch>& patches, const Settings& settings);

}  // namespace pliant::nurbs::paper
