#pragma once

#include <span>
#include <vector>

#include "body/body.h"
#include "contact/body_contacts.h"
#include "contact/bonds.h"
#include "contact/collider.h"
#include "contact/collider_contacts.h"
#include "contact/contact_iteration.h"
#include "contact/contact_memory.h"
#include "contact/contact_rows.h"
#include "contact/contact_settings.h"

namespace pliant {

struct ContactReport {
  int contacts = 0;  // that press, or overlap after the solve
  int iterations = 0;
  bool converged = true;
  double max_penetration =
      0;  // [m] of the surfaces themselves, after the solve; 0 while the thickness holds
};

/// Everything that touches, solved as one problem per substep: impulses p with gap(free + B W^T p)
/// >= 0, p >= 0 and Coulomb friction. Reads skins and mobility, writes `nodes.load`, calls
/// `respond`; knows no method.
class ContactSolver {
 public:
  ContactSettings settings;
  Bonds bonds;  // what is tied to what

  /// Once per step of `dt` seconds: what may touch what. Refreshes the skins.
  void find_candidates(std::span<Body> bodies, std::span<const Collider> colliders, double time,
                       double dt);

  /// Once per substep, after every body's advance: exact gaps and normals. Refreshes the skins of
  /// bodies that are near something.
  void find_contacts(std::span<Body> bodies, std::span<const Collider> colliders,
                     const Substep& substep);

  /// Pushes everything apart. Bodies that touch nothing end with zero load, where they were.
  ContactReport solve(std::span<Body> bodies, const Substep& substep);

  /// The contacts of this substep, in key order; after solve() with their impulses and gaps.
  const std::vector<Contact>& contacts() const { return contacts_; }
  /// Pairs of features looked at per substep.
  int candidates() const { return colliders_.candidates() + bodies_.candidates(); }

  /// Impulses, sides and scales: with the bodies all that the next substep depends on. To be called
  /// between steps.
  void archive(Archive& archive);

 private:
  void refresh(Body& body) const;
  void forget_changed_skins(std::span<const Body> bodies);
  void warm_start(double h);
  void remember(std::span<const Body> bodies, double h);
  ContactReport report(const ContactIteration::Outcome& outcome) const;

  ColliderContacts colliders_;
  BodyContacts bodies_;
  std::vector<Contact> contacts_;
  ContactRows rows_;
  ContactIteration iteration_;

  // What the next substep starts from.
  ContactMemory memory_;
  double memory_h_ = 0;        // [s] of the substep that left the memory
  std::vector<double> scale_;  // per body, see ContactIteration
  std::vector<int> revision_;  // per body, of the skin that the memory speaks of
};

}  // namespace pliant
