#pragma once

#include "studies/study.h"

namespace pliant {

/// Trusty, Chen, Levin 2021 with the paper's own kinematics: what a model at rest is, and statics.
std::span<const Experiment> nurbs_paper_rows();
/// The same in motion.
std::span<const Experiment> nurbs_paper_motion();

}  // namespace pliant
