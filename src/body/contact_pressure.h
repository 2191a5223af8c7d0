#pragma once

#include "body/body.h"

namespace pliant {

/// Force of what touched the body in the last step, per vertex of the drawn skin [N].
std::vector<Vec3> contact_forces(const Body& body);

/// Pressure of what touched the body in the last step, per vertex of the drawn skin [Pa].
/// A skin may be finer than its nodes: then few of its vertices bear all, as what lies between them
/// cannot give way. So forces are gathered to the nodes, divided by the area that hangs on these
/// and faces the push, and given back to the vertices: pressure times area is still the force, and
/// it is as fine as the nodes are. A rigid body has no such nodes: force of a vertex by its own
/// area.
void contact_pressure(const Body& body, std::vector<double>& pressure);

}  // namespace pliant
