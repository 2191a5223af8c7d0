#pragma once

#include <vector>

#include "contact/data/contact.h"
#include "contact/data/renumbering.h"

namespace pliant {

/// What a substep leaves to the next one: impulses for a warm start and sides to keep. Sorted by
/// key.
struct ContactMemory {
  std::vector<ContactKey> key;
  std::vector<Vec3> normal;   // the impulse's own
  std::vector<Vec3> impulse;  // [kg m]
  /// [m] For a vertex that ended behind a collider, or behind the surface of its own body, the
  /// displacement that brings it just in front again; else zero. Against colliders in their frame:
  /// the next path starts from there, so that the vertex keeps the side that it came from.
  std::vector<Vec3> lift;

  int size() const { return int(key.size()); }
  void clear();
  void forget(int body);
  /// After bodies, colliders or bonds came and went: contacts of those that are gone are forgotten.
  void renumber(const Renumbering& bodies, const Renumbering& colliders, const Renumbering& bonds);
  /// The body's vertices have other numbers (old -> new, -1 = gone): contacts of vertices that live
  /// on stay, what is known of its edges is forgotten.
  void renumber_vertices(int body, const std::vector<int>& vertex);
  /// Index of the first key that is not below `wanted`.
  int lower_bound(const ContactKey& wanted) const;
  /// Whether this contact is remembered, with a normal within 45 degrees of `direction`: it pressed
  /// in the last substep, or ended behind its surface.
  bool knows(const ContactKey& wanted, const Vec3& direction) const;
  /// Whether it ended behind its surface, which faced within 45 degrees of `direction`.
  bool was_behind(const ContactKey& wanted, const Vec3& direction) const;
  void archive(Archive& archive);

 private:
  void move(int from, int to);
  void resize(int count);
};

}  // namespace pliant
