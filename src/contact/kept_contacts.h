#pragma once

#include <span>
#include <vector>

#include "body/body.h"
#include "contact/contact_list.h"

namespace pliant {

/// A contact between two skins that stays as it was found: the same points and the same normal;
/// only its gap is measured anew.
struct KeptContact {
  ContactKey key;
  Anchor a, b;
  Vec3 normal;
  Vec3 apart;  // [m] from b's point to a's when it was found

  /// Where a's point is now, as seen from b's [m].
  Vec3 now(const std::vector<Vec3>& of_a, const std::vector<Vec3>& of_b) const {
    return a.point(of_a) - b.point(of_b);
  }
};

/// Contacts of pairs of bodies that hardly move against each other, from one substep to the next.
class KeptContacts {
 public:
  /// Those of one pair.
  struct Of {
    bool may = false;  // stay as they were found in the last substep,
    bool now = false;  // and do in this one
    int substeps = 0;  // since they were found
    double drift = 0;  // [m] no distance between the two bodies changed more since
    struct Range {
      int begin = 0, end = 0;
      int count() const { return end - begin; }
    };
    Range kind[3];  // of the first one's vertices, of the second one's, of edges

    void forget() { may = now = false; }
    /// No distance between the two, which keep this gap [m], changed more since the last substep.
    void follow(double went, double gap);
    /// After a substep: whether its contacts may stay in the next one, which they `can`.
    void go_on(bool can, int most);
  };

  const KeptContact& of(const Of& pair, int kind, int k) const {
    return kept_[std::size_t(pair.kind[kind].begin + k)];
  }
  /// Whether none of a pair's contacts slipped since it was found.
  bool hold(const Of& pair, std::span<const Body> bodies, double gap) const;

  // Anew in each substep: start(), then for all kinds of all pairs, in the order of their keys,
  // keep() what was kept, or take() what was found.
  void start();
  void keep(Of& pair, int kind);
  void take(Of& pair, int kind, const ContactList& found, std::size_t begin, std::size_t end,
            std::span<const Body> bodies);

 private:
  std::vector<KeptContact> kept_, old_;
};

}  // namespace pliant
