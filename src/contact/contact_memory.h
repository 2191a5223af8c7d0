#pragma once

#include <vector>

#include "contact/contact.h"

namespace pliant {

/// What a substep leaves for the next one: impulses to start from and sides to keep. Sorted by key.
struct ContactMemory {
  std::vector<ContactKey> key;
  std::vector<Vec3> normal;   // the impulse's own
  std::vector<Vec3> impulse;  // [kg m]
  /// [m] in the collider's frame: zero, or for a vertex that ended behind its surface what brings
  /// it just in front again. Paths start from there, so that it stays a prisoner of the side it
  /// came from.
  std::vector<Vec3> lift;

  int size() const { return int(key.size()); }
  void clear();
  void forget(int body);
  /// First index whose key is not below `wanted`.
  int lower_bound(const ContactKey& wanted) const;
  bool contains(const ContactKey& wanted) const {
    const int at = lower_bound(wanted);
    return at < size() && key[at] == wanted;
  }
  void archive(Archive& archive);
};

}  // namespace pliant
