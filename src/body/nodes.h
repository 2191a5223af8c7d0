#pragma once

#include <vector>

#include "math/types.h"

namespace pliant {

/// The moving points of a body: one array per quantity, index = node.
struct Nodes {
  std::vector<Vec3> position;  // [m]
  std::vector<Vec3> previous;  // at the start of the substep
  std::vector<Vec3> free;      // before contact: what respond() starts from
  std::vector<Vec3> velocity;  // [m/s]
  std::vector<double> mass;    // [kg]
  std::vector<double>
      mobility;            // [1/kg] no load moves the nodes further than mobility * load; 0 = held
  std::vector<Vec3> load;  // [kg m] contact impulse of this substep times h; load/h^2 = force

  // Set by the world before each advance.
  std::vector<Vec3> force;    // [N] gravity and the scene's loads
  bool only_gravity = false;  // force is mass times `gravity` [m/s^2], and need not be read
  Vec3 gravity = Vec3::Zero();
  std::vector<char> held;    // 1 = moved by the scene, not by physics
  std::vector<Vec3> target;  // [m] where a held node is at the end of the substep

  int size() const { return int(position.size()); }

  /// All arrays sized for these points, at rest. Masses are left zero for the method to fill.
  static Nodes at(const std::vector<Vec3>& points);

  /// Gives the arrays that are rebuilt in every substep the size of `position`: after nodes came or
  /// went.
  void fit_to_positions();

  /// What the next step depends on; the rest is rebuilt in every substep.
  void archive(Archive& archive);
};

}  // namespace pliant
