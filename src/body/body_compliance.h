#pragma once

#include <span>
#include <vector>

#include "math/types.h"

namespace pliant {

/// How a body that solves for its motion gives way to loads on some of its nodes, near where it is:
///
///   position(load) = position + pending() + turn C turn^T (load - answered),
///
/// C symmetric and positive. It is the body's own matrix at rest, turned with it: exact where the
/// body is hardly deformed, and a guess where it is bent or squeezed, which contact corrects by
/// asking Method::correct for the real answer.
class BodyCompliance {
 public:
  virtual ~BodyCompliance() = default;

  /// Whether all blocks are multiples of the identity, however the body is turned: then fill()
  /// gives one number for each, at blocks[count * j + i].
  virtual bool is_isotropic() const { return false; }

  /// C for these nodes: block (i, j) is how node i answers a load on node j, 3 x 3 by columns at
  /// blocks[9 (count * j + i)]. [1/kg]
  virtual void fill(std::span<const int> nodes, std::vector<float>& blocks) = 0;

  /// [m] What the body still has to move by to be in balance with `answered`, one per node.
  virtual const std::vector<Vec3>& pending() = 0;

  Mat3 turn = Mat3::Identity();
  /// [kg m] The load that the positions of the nodes answer, one per node.
  std::vector<Vec3> answered;
};

}  // namespace pliant
