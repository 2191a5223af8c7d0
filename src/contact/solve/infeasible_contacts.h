#pragma once

#include <span>
#include <vector>

#include "body/body.h"
#include "contact/data/contact_list.h"
#include "contact/surface/skin_topology.h"

namespace pliant {

/// Some overlap cannot be undone, because held or driven nodes require it; pushing against it only
/// tears the body apart. So contacts between held parts that were pressed into each other are
/// dropped, and contacts that overlapped before this substep are relaxed where the skin is
/// stretched to a multiple of its length. `topologies`: per body. Keeps the order of contacts.
void relax_infeasible(std::span<const Body> bodies, std::span<const SkinTopology> topologies,
                      ContactList& contacts);

/// After a solve that did not converge: self-contacts of a body that is turned inside out, or held
/// that way, contradict each other and would tear it apart. Where one of them is far from solved,
/// all self-contacts of that body are relaxed, by as much as they can move, and start without
/// impulse. True when there are any.
bool relax_self(ContactList& contacts);

}  // namespace pliant
