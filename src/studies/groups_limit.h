#pragma once

#include "methods/shared/shape_law/wide_batches.h"

namespace pliant {

/// What this machine can do with groups of one size: the least work that is still a projection, in
/// a kernel of its own that shares nothing with the production one. One array of float positions,
/// changed in place; the law, and a hard filter, which is the cheapest; all particles free and of
/// one mass; nothing is checked, nothing is kept from rounding.
class GroupsLimit {
 public:
  /// The same groups side by side, in the same order, as the batches that are full. Sizes 8 and 27
  /// have a kernel; of others there is no limit.
  GroupsLimit(const shape_law::Shapes& shapes, const std::vector<Vec3>& points,
              const shape_law::WideBatches& batches);

  int groups() const { return groups_; }
  /// One sweep, on this thread.
  void sweep();

 private:
  int members_ = 0, groups_ = 0, batches_ = 0;
  std::vector<std::int32_t> place_;  // [batch][member][lane] where the particle's floats begin
  AlignedFloats rest_;               // [batch][member][x y z][lane], then the inverse of Q
  AlignedFloats nodes_;              // x y z and one more
};

}  // namespace pliant
