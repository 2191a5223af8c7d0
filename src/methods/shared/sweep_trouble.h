#pragma once

namespace pliant {

/// What went on in a sweep besides projections.
struct SweepTrouble {
  int collapsed = 0;  // elements with all nodes in one point: not moved
  int skipped = 0;    // elements without a finite move: not moved
};

}  // namespace pliant
