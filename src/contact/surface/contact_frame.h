#pragma once

#include <span>

#include "body/body.h"
#include "contact/colliders/collider.h"
#include "contact/data/contact_list.h"
#include "contact/data/contact_memory.h"
#include "contact/data/contact_settings.h"
#include "contact/motion/displacement.h"
#include "contact/surface/contact_surfaces.h"

namespace pliant {

/// Blades pass through what they cut.
inline bool passes_through(const Collider& collider, const Body& body) {
  return collider.cuts && body.method->can_be_cut();
}

/// What the finders of contacts are told.
struct ContactFrame {
  std::span<const Body> bodies;
  std::span<const Collider> colliders;
  const ContactSettings& settings;
  const ContactMemory& memory;  // of the last substep
  ContactSurfaces& surfaces;
  /// Per body. When a step starts, only since contacts were last found, unbounded where unknown.
  std::span<const SkinMotion> motion;
  Substep substep;  // when a step starts: h = 0
  double step = 0;  // [s] the whole step

  double travel(int body) const { return motion[body].in_substep.max; }  // [m]
};

/// What finds contacts of some kind. Lists of candidates decide time only, never what is found.
template <class Finder>
concept ContactFinder = requires(Finder& finder, const Finder& const_finder,
                                 const ContactFrame& frame, ContactList& contacts) {
  finder.start_step(frame);      // once per step, with all skins up to date: what may touch what
  finder.follow(frame);          // once per substep: all that is added up over time, is here
  const_finder.is_clear(0);      // then: whether a body cannot touch, so that its skin may be old
  finder.refresh(frame);         // with the skins of others up to date: lists anew what moved far
  finder.find(frame, contacts);  // appends contacts in key order, without impulses
  const_finder.candidates();     // pairs of features looked at per substep
};

}  // namespace pliant
