#pragma once

#include <map>
#include <utility>

#include "world/world.h"

namespace pliant {

/// Keeps what is seen of different bodies apart. Strongly deformed cells bend a drawn skin away
/// from the coarser surface that touches, by up to a tenth of the body's size, and so into what it
/// touches. Only drawn vertices move, until the next step; the motion does not depend on them.
class DrawnSeparation {
 public:
  /// Moves drawn vertices that lie in another body onto its surface. Bodies that are touched as
  /// they are drawn stay as they are, and so do CAD faces, and pairs that cross as they are built.
  void apply(World& world);

 private:
  bool cross_as_built(const World& world, std::size_t one, std::size_t other);

  std::map<std::pair<std::size_t, std::size_t>, bool> cross_as_built_;
};

}  // namespace pliant
