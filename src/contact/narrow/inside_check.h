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

/// The pseudonormal of the nearest feature (Baerentzen and Aanaes 2005) tells inside from outside
/// only as long as a skin does not cross itself. Near the tip of a fin that was squeezed through
/// itself everything seems to be deep inside and would be pulled through the tip. So contacts that
/// claim overlap from before this substep, and are not remembered from the last one, are checked by
/// the winding number of the skin.
class InsideCheck {
 public:
  /// Checks contacts from `begin` on. Where a vertex is outside after all, its contact keeps it
  /// outside if it is near enough and is dropped otherwise; contacts of edges are dropped where the
  /// point between the edges is not inside both bodies. `topologies`: per body. Keeps the order.
  void clear(std::span<const Body> bodies, std::span<const SkinTopology> topologies,
             const ContactMemory& memory, std::size_t begin, ContactList& contacts);

 private:
  std::vector<char> outside_;  // of contacts: may be at first, is in the end
  std::vector<int> doubtful_;
};

}  // namespace pliant
