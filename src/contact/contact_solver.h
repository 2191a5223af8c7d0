#pragma once

#include <memory>
#include <span>
#include <vector>

#include "body/body.h"
#include "contact/bonds/bonds.h"
#include "contact/colliders/collider.h"
#include "contact/data/contact_list.h"
#include "contact/data/contact_settings.h"

namespace pliant {

struct ContactReport {
  int contacts = 0;  // that press, or overlap after the solve
  int iterations = 0;
  bool converged = true;
  double max_penetration =
      0;  // [m] of the surfaces themselves, after the solve; 0 while the thickness holds
};

/// Everything that touches, solved as one problem per substep: impulses p with gap(free + B W^T p)
/// >= 0, p >= 0 and Coulomb friction. Reads skins and mobility; computes `nodes.load` and moves
/// `nodes.position` by it, itself where a body moves by mobility, else by the method's `respond` or
/// `correct`; keeps skins up to date. Knows no method.
class ContactSolver {
 public:
  ContactSettings settings;
  Bonds bonds;

  /// Between steps: bodies and colliders that came, went, or have other places than before. What is
  /// known of those that are gone is forgotten, bonds to them are untied. find_candidates() does
  /// the same, so that this is only needed before reports are read.
  void update_places(std::span<const Body> bodies, std::span<const Collider> colliders);

  /// Once per step of `dt` seconds: what may touch what. Refreshes the skins. Bodies and colliders
  /// may have come and gone since the last step; they are known by their ids.
  void find_candidates(std::span<Body> bodies, std::span<const Collider> colliders, double time,
                       double dt);

  /// Once per substep, after every body's advance: exact gaps and normals. Refreshes the skins of
  /// bodies that are near something.
  void find_contacts(std::span<Body> bodies, std::span<const Collider> colliders,
                     const Substep& substep);

  /// Pushes everything apart. Bodies that touch nothing end with zero load, where they were.
  ContactReport solve(std::span<Body> bodies, const Substep& substep);

  /// The contacts of this substep, in key order; after solve() those that took part in it, with
  /// their impulses and gaps.
  const ContactList& contacts() const;
  /// [N] on a collider, mean over the substeps since find_candidates(). What acts on the bodies is
  /// in Body::touched.
  Vec3 force_on_collider(int index) const;
  /// Pairs of features that are looked at per substep.
  int candidates() const;

  /// Impulses, sides and scales: with the bodies all that the next substep depends on. To be called
  /// between steps.
  /// A body's triangles have changed since the last step, its revision with them.
  void renumber(const Body& body, int index, const Changes& changes);
  void archive(Archive& archive);

  ContactSolver();
  ~ContactSolver();
  ContactSolver(ContactSolver&&) noexcept;
  ContactSolver& operator=(ContactSolver&&) noexcept;

 private:
  // Known to contact_solver.cpp only, so that users of a world include no more than they use.
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace pliant
