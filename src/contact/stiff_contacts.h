#pragma once

#include <span>
#include <vector>

#include "body/body.h"
#include "contact/contact.h"
#include "contact/contact_rows.h"

namespace pliant {

// What contact does differently where nothing deforms.

/// Nothing there swallows what the solver leaves over: a gap that is off by d becomes a speed of
/// d/h. So the tolerance is at most a share of what gravity moves a body by in this substep.
void sharpen(std::span<const Body> bodies, std::vector<Contact>& contacts, double h);

/// Two rules for goals. Overlap that was there before is undone slowly: what pushes rigid bodies
/// apart stays with them as speed. And bodies that cannot deform bounce by rule: where two surfaces
/// that have a restitution would pass each other in this substep, coming together faster than
/// gravity makes resting ones do, the goal is the gap they had, wider by what the speed that comes
/// back opens it. Energy of a bounce with restitution one is kept to rounding. `rows` belong to the
/// contacts.
void set_stiff_goals(std::span<const Body> bodies, const ContactRows& rows,
                     std::vector<Contact>& contacts, double h);

}  // namespace pliant
