#pragma once

#include "play/run.h"

namespace pliant {

/// What decides whether a run may be resumed: every setting that influences the motion, and the
/// models themselves. The number of frames and the outputs may change.
std::uint64_t scene_fingerprint(BuiltScene& scene);

/// run.json: the scene with every default spelled out, versions, seed, frames, state hash, and what
/// is said of each body. Holds no times and no paths, so that two equal runs give equal files.
void write_summary(const BuiltScene& scene, const RunFolder& folder, const Fineness& fineness,
                   const RunResult& result);

}  // namespace pliant
