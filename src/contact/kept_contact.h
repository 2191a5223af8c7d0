#pragma once

#include "contact/contact.h"

namespace pliant {

/// A contact between two skins that stays as it was found while the two hardly move against each
/// other: the same points and the same normal; only its gap is measured anew.
struct KeptContact {
  ContactKey key;
  Anchor a, b;
  Vec3 normal;
  Vec3 apart;  // [m] from b's point to a's when it was found

  /// Where a's point is now, as seen from b's [m].
  Vec3 now(const std::vector<Vec3>& of_a, const std::vector<Vec3>& of_b) const {
    return a.point(of_a) - b.point(of_b);
  }
};

}  // namespace pliant
