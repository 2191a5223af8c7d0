#pragma once

#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "body/body.h"
#include "contact/colliders/collider.h"
#include "contact/data/contact_list.h"
#include "contact/data/contact_settings.h"
#include "contact/data/renumbering.h"

namespace pliant {

/// Ties vertices of one body to another body, a collider or the world. Each vertex of `a` stays
/// with the point of `b` where it is when it is tied: the nearest point of the body's skin or, off
/// the skin, a point that the skin carries.
struct Attachment {
  int a = 0;
  std::vector<int> vertices;  // of a's skin
  int b = -1;                 // body; -1 = the collider, or without one the world
  int collider = -1;
  double stiffness = std::numeric_limits<double>::infinity();  // [N/m] of all its bonds together
  double strength = std::numeric_limits<double>::infinity();  // [N] of all together; then they tear
};

using BondId = Id<Attachment>;

/// Bonds hold two points together: contacts that push and pull in all directions, solved with all
/// the others. Surfaces that are tied together do not collide there.
class Bonds {
 public:
  /// Ties bodies where they are now; skins must be up to date. No name when a vertex has no place:
  /// it lies off a skin that is flat. Places of bodies and colliders are those in the spans; when
  /// others come and go, the solver renumbers them.
  BondId tie(const Attachment& attachment, std::span<const Body> bodies,
             std::span<const Collider> colliders, double time = 0);
  /// Lets go what was tied in one call; false when that is gone already.
  bool untie(BondId id);
  /// Moves the points that bodies are tied to, in the world or in the coordinates of the collider,
  /// by this [m]; false when it is gone, or ties two bodies.
  bool move(BondId id, const Vec3& by);
  bool has(BondId id) const { return ids_.lives(id); }

  bool empty() const { return bonds_.empty(); }
  int count() const { return int(bonds_.size()); }
  int torn() const;

  /// Between steps, after bodies and colliders came and went: what was tied to others that are gone
  /// is untied.
  void renumber(const Renumbering& bodies, const Renumbering& colliders);
  /// Where bonds are now that contacts of the last substep named by their places; to be taken once.
  Renumbering take_renumbering();

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
    BondId id;
    int place = -1;  // among the bonds in the last substep
    bool torn = false;
    int collider = -1;
    Vec3 point = Vec3::Zero();  // [m] of the world or, in its coordinates, of the collider
    double stiffness = 0, strength = 0;
  };
  struct Tied {  // two partners; which of their vertices do not touch the other one
    int a = 0, b = -1, collider = -1;
    std::vector<char> of_a, of_b;
    BondId id;
    int holding = 0;  // bonds
  };

  Tied& tied(BondId id);
  void sort();
  void remove_gone();

  std::vector<Bond> bonds_;  // in the order of their keys
  std::vector<Tied> tied_;
  IdTable<Attachment> ids_;
  int places_ = 0;        // bonds in the last substep
  bool changed_ = false;  // since their places were taken
};

/// The point of a skin that is nearest to `p`, or a point at `p` that the skin carries along: then
/// three vertices there and a fourth off their plane make it. Nothing where there is no fourth.
std::optional<Anchor> anchor_at(int body, const Skin& skin, const class Bvh& bvh,
                                const TriangleMesh& surface, const Vec3& p);

}  // namespace pliant
