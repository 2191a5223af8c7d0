#pragma once

#include <array>
#include <span>
#include <vector>

#include "body/body.h"
#include "contact/data/contact_list.h"

namespace pliant {

/// A contact between two skins that stays as it was found: the same points and the same normal;
/// only its gap is measured anew.
struct RecycledContact {
  ContactKey key;
  Anchor a, b;
  Vec3 normal;
  Vec3 apart;  // [m] from b's point to a's when it was found

  /// Where a's point is now, as seen from b's [m].
  Vec3 now(const std::vector<Vec3>& of_a, const std::vector<Vec3>& of_b) const {
    return a.point(of_a) - b.point(of_b);
  }
};

/// Contacts of two bodies that hardly move against each other, from one substep to the next.
struct RecycledContacts {
  bool may = false;  // stay as they were found in the last substep,
  bool now = false;  // and do in this one
  int substeps = 0;  // since they were found
  double drift = 0;  // [m] no distance between the two bodies changed more since
  // Of the first one's vertices, of the second one's, of edges; in the order of their keys.
  std::array<std::vector<RecycledContact>, 3> kind;

  void forget() { may = now = false; }
  /// No distance between the two, which keep this gap [m], changed more since the last substep.
  void follow(double went, double gap);
  /// Whether none of them slipped since it was found.
  bool hold(std::span<const Body> bodies, double gap) const;
  /// After a substep: whether they may stay in the next one, which they `can`.
  void go_on(bool can, int most);
  /// Then, where they may, and were found in this one: those in [begin, end).
  void take(int of_kind, const ContactList& found, std::size_t begin, std::size_t end,
            std::span<const Body> bodies);
};

}  // namespace pliant
