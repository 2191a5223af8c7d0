#pragma once

#include "studies/study.h"

namespace pliant {

std::span<const Experiment> tets_experiments();

}  // namespace pliant
