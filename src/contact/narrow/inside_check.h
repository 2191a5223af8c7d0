#pragma once

#include <span>
#include <vector>

#include "body/body.h"
#include "contact/data/contact_list.h"
#include "contact/data/contact_memory.h"
#include "contact/surface/skin_topology.h"

namespace pliant {

/// How often a closed skin winds around a point: 1 inside, 0 outside, whatever it is elsewhere.
/// Counts the triangles that a ray from there passes, each by the side it is passed from; rounding
/// cannot let it slip between two of them. Looks at all triangles.
int winding_by_ray(const Skin& skin, const Vec3& point);

/// The nearest feature tells inside from outside as long as a skin does not cross itself. The tip
/// of a fin that was squeezed through itself tells everything near it that it is deep inside, and
/// all of that would be pulled through the tip. So who is said to have been inside before this
/// substep, and was not pushed that way in the last one, is asked how often the skin winds around
/// it.
class InsideCheck {
 public:
  /// Contacts from `begin` on: of vertices that are outside after all, those near enough are kept
  /// outside, the others dropped; so are edges with nothing of both bodies between them. `shapes`:
  /// per body. Contacts stay in order.
  void clear(std::span<const Body> bodies, std::span<const SkinTopology> topologies,
             const ContactMemory& memory, std::size_t begin, ContactList& contacts);

 private:
  std::vector<char> outside_;  // of contacts: may be at first, is in the end
  std::vector<int> doubtful_;
};

}  // namespace pliant
