#pragma once

#include "studies/study.h"

namespace pliant {

/// What contact costs on models that nobody tuned it for: each is dropped by itself, made as it is
/// by default, and followed until it lies. `wish.models`: files, or folders of them.
std::vector<BenchRow> run_models(const BenchWish& wish);

}  // namespace pliant
