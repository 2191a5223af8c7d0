#pragma once

#include "body/nodes.h"
#include "methods/groups/groups.h"
#include "methods/shared/shape_law/shapes.h"

namespace pliant::groups {

/// Damping as the paper has it: every group is drawn towards its own rigid motion, one after the
/// other. Acts like viscosity: what differs from group to group dies, so that finer groups damp
/// slow modes less. (The material's damping is InnerDamping, the same for any resolution.) Keeps
/// linear and angular momentum of groups without held members, and never adds energy.
class GroupDamping {
 public:
  GroupDamping() = default;
  /// `rate` [1/s], as a particle feels it: it is shared by the groups it is in.
  GroupDamping(const Shapes& shapes, double rate);

  void apply(const Shapes& shapes, Nodes& nodes, double h) const;

 private:
  double rate_ = 0;  // [1/s] of each group
};

}  // namespace pliant::groups
