#include "contact/skin_contacts.h"

#include <algorithm>
#include <cmath>

#include "core/parallel.h"

namespace pliant {

void SkinContacts::start_step(const ContactFrame& frame) {
  const Touches touch = frame.settings.touch;
  const bool meets_others = touch != Touches::colliders && frame.bodies.size() > 1;
  meets_itself_ = touch == Touches::all ||
                  std::any_of(frame.bodies.begin(), frame.bodies.end(),
                              [&](const Body& body) { return meets_own(body, touch); });
  frame.surfaces.prepare(frame.bodies, meets_others || meets_itself_ ? touch : Touches::colliders);
  if (meets_itself_) self_.start_step(frame);
  pairs_.start_step(frame);
  frame.surfaces.forget_new();
  list(frame, {});
}

void SkinContacts::follow(const ContactFrame& frame) {
  finite_ = std::all_of(frame.motion.begin(), frame.motion.end(),
                        [](const SkinMotion& each) { return std::isfinite(each.in_substep.max); });
  if (!finite_) return;
  if (meets_itself_) self_.follow(frame);
  pairs_.follow(frame);
}

void SkinContacts::refresh(const ContactFrame& frame) {
  if (!finite_) return;
  std::span<const int> outdated;
  if (meets_itself_) outdated = self_.outdated(frame);
  pairs_.mark_outdated(frame);
  list(frame, outdated);
}

/// Lists of bodies with themselves, and of pairs: all at once, as they are few and large.
void SkinContacts::list(const ContactFrame& frame, std::span<const int> outdated) {
  const int own = int(outdated.size()), count = own + pairs_.marked();
  if (count > 0) {
    for (const int b : outdated) frame.surfaces.ask_all(b);
    pairs_.ask_boxes(frame.surfaces);
    frame.surfaces.refit_asked(frame.bodies);
    parallel_for(count, 1, [&](int k, int) {
      if (k < own) self_.list(frame, outdated[k]);
      else pairs_.list_marked(frame, k - own);
    });
  }
  pairs_.finish_lists(frame);
}

void SkinContacts::find(const ContactFrame& frame, ContactList& contacts) {
  if (!finite_) return;
  const std::size_t before = contacts.size();
  pairs_.find(frame, contacts);
  if (meets_itself_) self_.find(frame, before, contacts);
}

}  // namespace pliant
