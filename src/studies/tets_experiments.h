#pragma once

#include "studies/study.h"

namespace pliant {

/// C-2 ... C-8 of the constraint-based stable Neo-Hookean paper.
std::span<const Experiment> tets_paper_experiments();

}  // namespace pliant
