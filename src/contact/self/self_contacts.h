#pragma once

#include <span>
#include <vector>

#include "body/body.h"
#include "contact/data/found_contacts.h"
#include "contact/self/self_lists.h"
#include "contact/surface/contact_frame.h"

namespace pliant {

/// Whether parts of a body touch each other. Parts that were made by cuts, or never unite, do so as
/// bodies do; then no part touches itself.
inline bool has_parts(const Skin& skin) { return !skin.provenance.apart.empty(); }
inline bool meets_own(const Body& body, Touches touch) {
  if (!body.deforms || touch == Touches::colliders) return false;
  return has_parts(body.skin) || (body.meets_itself && touch == Touches::all);
}

/// Finds contacts of bodies with themselves; see self_lists.h for what is listed, and when. A
/// ContactFinder, but for lists: these are made together with those of pairs.
class SelfContacts {
 public:
  void start_step(const ContactFrame& frame);
  void follow(const ContactFrame& frame);
  bool is_clear(int body) const { return body < int(lists_.size()) && lists_[body].is_clear(); }

  /// Once per substep, with the skins of bodies that are not clear up to date: the bodies that must
  /// be listed anew, until the next call.
  std::span<const int> outdated(const ContactFrame& frame);
  /// Lists one of them, whose boxes must be up to date; several may be listed at once.
  void list(const ContactFrame& frame, int body);
  /// Puts contacts, without impulses, in key order among those from `first` on, which must be in
  /// order.
  void find(const ContactFrame& frame, std::size_t first, ContactList& contacts);

  /// Between steps, after bodies came and went.
  void renumber(const Renumbering& bodies) { bodies.apply(lists_); }
  int candidates() const;

 private:
  struct Chunk {  // of what is listed, and a workspace
    int body, begin, end;
    SkinPair::VertexNeighbours near_by;
  };
  void look(const ContactFrame& frame, Chunk& chunk, std::vector<Contact>& found);

  std::vector<SelfLists> lists_;  // per body

  // Workspaces.
  std::vector<int> outdated_;  // bodies
  std::vector<Chunk> chunks_;  // the first few
  FoundContacts found_;
  ContactList self_found_;
};

}  // namespace pliant
