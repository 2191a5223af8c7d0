#pragma once

#include <span>
#include <vector>

#include "body/body.h"
#include "contact/data/contact_list.h"
#include "contact/surface/skin_topology.h"

namespace pliant {

/// Some overlap cannot be undone, because what is held or moved by hand wants it; pushing against
/// it only tears the body apart. So held parts that were pressed into each other lose their
/// contacts, and contacts that overlapped before give way where the skin is torn to a multiple of
/// its length. `shapes`: per body. Contacts stay in order.
void relax_infeasible(std::span<const Body> bodies, std::span<const SkinTopology> topologies,
                      ContactList& contacts);

/// After a solve that did not come to an end: a body that cannot be kept from itself, as its flesh
/// is turned inside out or held that way, would be torn apart by contacts that contradict each
/// other. So where one of them is far from solved, all of them are to give way, by as much as they
/// can move, and start without impulse. True when there are any.
bool relax_self(ContactList& contacts);

}  // namespace pliant
