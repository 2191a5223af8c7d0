#pragma once

#include <span>

#include "contact/pairs/pair_contacts.h"
#include "contact/self/self_contacts.h"
#include "contact/surface/contact_frame.h"

namespace pliant {

/// Finds contacts between skins, and of a skin with itself: a ContactFinder. The two kinds share
/// the threads when lists are made.
class SkinContacts {
 public:
  void start_step(const ContactFrame& frame);
  void follow(const ContactFrame& frame);
  bool is_clear(int body) const {
    return pairs_.is_clear(body) && (!meets_itself_ || self_.is_clear(body));
  }
  /// True when even clear bodies moved further than pairs of bodies allow; then all skins must be
  /// brought up to date before refresh().
  bool needs_all_skins() const { return pairs_.needs_all_skins(); }
  void refresh(const ContactFrame& frame);
  void find(const ContactFrame& frame, ContactList& contacts);
  int candidates() const { return pairs_.candidates() + self_.candidates(); }

  /// False when nothing can ever touch: bodies that touch colliders only, or a single one that does
  /// not touch itself.
  bool meets() const { return pairs_.meets() || meets_itself_; }

  /// Between steps, after bodies came and went.
  void renumber(const Renumbering& bodies) {
    pairs_.renumber(bodies);
    self_.renumber(bodies);
  }
  /// What the next step's contacts depend on. To be called between steps.
  void archive(Archive& archive) { pairs_.archive(archive); }

 private:
  void list(const ContactFrame& frame, std::span<const int> outdated);

  PairContacts pairs_;
  SelfContacts self_;
  bool meets_itself_ = false;
  bool finite_ = true;  // in this substep; otherwise the world says so in the end
};
static_assert(ContactFinder<SkinContacts>);

}  // namespace pliant
