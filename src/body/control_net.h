#pragma once

#include <vector>

#include "geometry/nurbs/patch.h"

namespace pliant {

/// The faces of a body whose nodes are their control points: with it every state of the body is
/// again a CAD model.
struct ControlNet {
  std::vector<NurbsPatch> patches;      // at rest, where the body was built
  std::vector<std::vector<int>> nodes;  // per patch: the node of each pole

  /// The faces with their poles where the nodes are.
  std::vector<NurbsPatch> moved(const std::vector<Vec3>& node_positions) const;
};

}  // namespace pliant
