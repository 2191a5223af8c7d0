#pragma once

#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "body/body.h"
#include "contact/colliders/collider.h"
#include "contact/data/contact_list.h"
#include "contact/data/contact_settings.h"

namespace pliant {

/// What is tied to what. Each vertex of `a` stays with the point of `b` where it is when it is
/// tied: with the nearest point of a body's skin, or, off the skin, with a point that the skin
/// carries.
struct Attachment {
  int a = 0;
  std::vector<int> vertices;  // of a's skin
  int b = -1;                 // body; -1 = the collider, or without one the world
  int collider = -1;
  double stiffness = std::numeric_limits<double>::infinity();  // [N/m] of all its bonds together
  double strength = std::numeric_limits<double>::infinity();   // [N] likewise; then they tear
};

/// Bonds hold two points together: contacts that push and pull in all directions, solved with all
/// the others. What is tied together does not collide there.
class Bonds {
 public:
  /// Ties bodies where they are now; skins must be up to date. False when a vertex has no place: it
  /// lies off a skin that is flat.
  bool tie(const Attachment& attachment, std::span<const Body> bodies,
           std::span<const Collider> colliders, double time = 0);

  bool empty() const { return bonds_.empty(); }
  int count() const { return int(bonds_.size()); }
  int torn() const;

  /// Takes out contacts between parts that are tied to each other.
  void drop_contacts(ContactList& contacts) const;
  /// One contact per bond that holds, in key order.
  void find(std::span<const Body> bodies, std::span<const Collider> colliders,
            const ContactSettings& settings, const Substep& substep,
            std::vector<Contact>& found) const;
  /// After the solve: bonds that carry more than their strength hold no longer.
  void tear(const ContactList& contacts, double h);

  /// Which bonds are torn.
  void archive(Archive& archive);

 private:
  struct Bond {
    Anchor a, b;
    int attachment = 0;
    int collider = -1;
    Vec3 point = Vec3::Zero();  // [m] of the world or, in its coordinates, of the collider
    double stiffness = 0, strength = 0;
  };
  struct Tied {  // two partners and which of their vertices do not touch the other
    int a = 0, b = -1, collider = -1;
    std::vector<char> of_a, of_b;
    int holding = 0;  // bonds
  };

  std::vector<Bond> bonds_;  // in the order of their keys
  std::vector<Tied> tied_;
  std::vector<char> torn_;  // per bond
};

/// The point of a skin that is nearest to `p`, or a point at `p` that the skin carries along: then
/// three vertices there and a fourth off their plane make it. Nothing where there is no fourth.
std::optional<Anchor> anchor_at(int body, const Skin& skin, const class Bvh& bvh,
                                const TriangleMesh& surface, const Vec3& p);

}  // namespace pliant
