#pragma once

#include <span>
#include <vector>

#include "body/body.h"
#include "contact/data/contact.h"
#include "contact/data/contact_memory.h"
#include "contact/data/found_contacts.h"
#include "contact/motion/displacement.h"
#include "contact/self/self_lists.h"
#include "contact/surface/contact_surfaces.h"

namespace pliant {

/// Finds contacts of bodies with themselves. See own_body.h for what is listed, and when.
class SelfContacts {
 public:
  /// Once per step, with skins up to date and candidates prepared.
  void start_step(std::span<const Body> bodies, const ContactSurfaces& surfaces);
  /// Once per substep of h seconds, in steps of `step`.
  void follow(std::span<const Body> bodies, std::span<const SkinMotion> moved, double step,
              double h);
  /// True when the body cannot touch itself; then its skin need not be up to date.
  bool is_clear(int body) const { return body < int(own_.size()) && own_[body].is_clear(); }

  /// Then, with the skins of bodies that do not stay clear up to date: those that must be listed
  /// anew, until the next call.
  std::span<const int> outdated(std::span<const Body> bodies);
  /// Lists one of them, whose boxes must be up to date; several at once, if need be.
  void list(const Body& body, int index, const ContactSurfaces& surfaces,
            const ContactSettings& settings);
  /// Puts contacts, without impulses, in key order among those from `first` on, which must be in
  /// order.
  void find(std::span<const Body> bodies, const ContactSurfaces& surfaces,
            const ContactSettings& settings, const ContactMemory& memory, const Substep& substep,
            std::size_t first, ContactList& contacts);

  int candidates() const;

 private:
  struct Chunk {  // of what is listed, and a workspace
    int body, begin, end;
    SkinPair::VertexNeighbours near_by;
  };
  void look(const Body& body, const SkinTopology& topology, const ContactSettings& settings,
            const ContactMemory& memory, double h, Chunk& chunk, std::vector<Contact>& found);

  std::vector<SelfLists> own_;  // per body

  // Workspaces.
  std::vector<int> outdated_;  // bodies
  std::vector<Chunk> chunks_;  // the first few
  FoundContacts found_;
  ContactList own_found_;
};

}  // namespace pliant
