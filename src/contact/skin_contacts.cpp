#include "contact/skin_contacts.h"

#include <algorithm>
#include <cmath>

#include "core/parallel.h"

namespace pliant {

void SkinContacts::find_candidates(std::span<const Body> bodies, const ContactSettings& settings,
                                   double dt, std::span<const DisplacementBound> went) {
  step_ = dt;
  const bool meets_others = settings.touch != Touches::colliders && bodies.size() > 1;
  meets_itself_ = settings.touch == Touches::all;
  surfaces_.prepare(bodies, meets_others || meets_itself_ ? settings.touch : Touches::colliders);
  if (meets_itself_) self_.start_step(bodies, surfaces_);
  pairs_.find_candidates(bodies, surfaces_, settings, dt, went);
  surfaces_.forget_new();
  list(bodies, settings, {});
}

void SkinContacts::follow(std::span<const Body> bodies, std::span<const SkinMotion> moved,
                          double h) {
  finite_ = std::all_of(moved.begin(), moved.end(),
                        [](const SkinMotion& each) { return std::isfinite(each.in_substep.max); });
  if (!finite_) return;
  if (meets_itself_) self_.follow(bodies, moved, step_, h);
  pairs_.follow(bodies, surfaces_, moved);
}

void SkinContacts::renew_lists(std::span<const Body> bodies, const ContactSettings& settings,
                               std::span<const SkinMotion> moved) {
  if (!finite_) return;
  std::span<const int> outdated;
  if (meets_itself_) outdated = self_.outdated(bodies);
  pairs_.mark_outran(bodies, surfaces_, settings, moved);
  list(bodies, settings, outdated);
}

/// What of bodies can meet themselves, and of pairs: all at once, as they are few and large.
void SkinContacts::list(std::span<const Body> bodies, const ContactSettings& settings,
                        std::span<const int> outdated) {
  const int own = int(outdated.size()), count = own + pairs_.marked();
  if (count > 0) {
    for (const int b : outdated) surfaces_.ask_all(b);
    pairs_.ask_boxes(surfaces_);
    surfaces_.refit_asked(bodies);
    parallel_for(count, 1, [&](int k, int) {
      if (k < own) self_.list(bodies[outdated[k]], outdated[k], surfaces_, settings);
      else pairs_.list_marked(bodies, surfaces_, k - own);
    });
  }
  pairs_.finish_lists(bodies, surfaces_);
}

void SkinContacts::find(std::span<const Body> bodies, const ContactSettings& settings,
                        const ContactMemory& memory, const Substep& substep,
                        ContactList& contacts) {
  if (!finite_) return;  // the world says so in the end
  const std::size_t before = contacts.size();
  pairs_.find(bodies, surfaces_, settings, memory, substep, contacts);
  if (meets_itself_) self_.find(bodies, surfaces_, settings, memory, substep, before, contacts);
}

}  // namespace pliant
