#pragma once

#include "studies/study.h"

namespace pliant {

/// C-1 ... C-4, C-6 and C-8 of the constraint-based stable Neo-Hookean paper.
std::span<const Experiment> tets_paper_experiments();

}  // namespace pliant
