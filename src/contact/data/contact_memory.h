#pragma once

#include <vector>

#include "contact/data/contact.h"

namespace pliant {

/// What a substep leaves for the next one: impulses to start from and sides to keep. Sorted by key.
struct ContactMemory {
  std::vector<ContactKey> key;
  std::vector<Vec3> normal;   // the impulse's own
  std::vector<Vec3> impulse;  // [kg m]
  /// [m] Zero, or for what ended behind a collider, or behind its own body's surface, what brings
  /// it just in front again. With colliders in their frame: paths start from there, so that a
  /// vertex stays a prisoner of the side it came from.
  std::vector<Vec3> lift;

  int size() const { return int(key.size()); }
  void clear();
  void forget(int body);
  /// The body's vertices have other numbers (old -> new, -1 = gone): contacts of vertices that live
  /// on stay, what is known of its edges is forgotten.
  void renumber(int body, const std::vector<int>& vertex);
  /// First index whose key is not below `wanted`.
  int lower_bound(const ContactKey& wanted) const;
  /// Whether this contact pressed in the last substep, much the same way.
  bool pushed(const ContactKey& wanted, const Vec3& way) const;
  /// Whether its surface, which looked much the same way, was in front of it at the end.
  bool was_behind(const ContactKey& wanted, const Vec3& way) const;
  void archive(Archive& archive);
};

}  // namespace pliant
