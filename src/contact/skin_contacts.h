#pragma once

#include <span>
#include <vector>

#include "body/body.h"
#include "contact/motion/displacement.h"
#include "contact/pairs/pair_contacts.h"
#include "contact/self/self_contacts.h"
#include "contact/surface/contact_surfaces.h"

namespace pliant {

/// Finds contacts between skins, and of a skin with itself. The two finders share the surfaces, and
/// the threads when lists are made.
class SkinContacts {
 public:
  /// Once per step of dt seconds. Skins must be up to date. `went`: where those of bodies went
  /// since they were last seen, where that is known of all.
  void find_candidates(std::span<const Body> bodies, const ContactSettings& settings, double dt,
                       std::span<const DisplacementBound> went = {});

  /// Once per substep of h seconds, with how the bodies' skins moved.
  void follow(std::span<const Body> bodies, std::span<const SkinMotion> moved, double h);
  /// True when the body cannot touch another one or itself; then its skin need not be up to date.
  bool is_clear(int body) const {
    return pairs_.is_clear(body) && (!meets_itself_ || self_.is_clear(body));
  }
  /// True when even bodies that stay clear moved further than was foreseen; then all skins must be
  /// brought up to date first.
  bool all_outran() const { return pairs_.all_outran(); }
  /// Then, with the skins of bodies that do not stay clear up to date: lists anew whatever moved
  /// further than was foreseen.
  void renew_lists(std::span<const Body> bodies, const ContactSettings& settings,
                   std::span<const SkinMotion> moved);

  /// Appends contacts in key order, without impulses.
  void find(std::span<const Body> bodies, const ContactSettings& settings,
            const ContactMemory& memory, const Substep& substep, ContactList& contacts);

  const ContactSurfaces& surfaces() const { return surfaces_; }
  void outdate(int body) { surfaces_.outdate(body); }
  /// False when nothing can ever touch: bodies that touch colliders only, or a single one that does
  /// not touch itself.
  bool meets() const { return pairs_.meets() || meets_itself_; }
  int candidates() const { return pairs_.candidates() + self_.candidates(); }

  /// What the next step's contacts depend on. To be called between steps.
  void archive(Archive& archive) { pairs_.archive(archive); }

 private:
  void list(std::span<const Body> bodies, const ContactSettings& settings,
            std::span<const int> outdated);

  ContactSurfaces surfaces_;
  PairContacts pairs_;
  SelfContacts self_;
  bool meets_itself_ = false, finite_ = true;
  double step_ = 0;  // [s]
};

}  // namespace pliant
