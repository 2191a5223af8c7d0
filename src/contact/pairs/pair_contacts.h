#pragma once

#include <vector>

#include "body/body.h"
#include "contact/data/contact_list.h"
#include "contact/data/found_contacts.h"
#include "contact/motion/motion_budget.h"
#include "contact/narrow/inside_check.h"
#include "contact/narrow/skin_pair.h"
#include "contact/pairs/body_pairs.h"
#include "contact/surface/contact_frame.h"

namespace pliant {

/// Finds contacts between the skins of different bodies: of vertices with triangles, and of edges
/// that cross. What a contact is, is said in narrow/skin_pair.h; here is which bodies can touch
/// each other, and when their lists must be made again (body_pair.h). A ContactFinder, but for
/// lists: these are made together with those of bodies with themselves.
class PairContacts {
 public:
  void start_step(const ContactFrame& frame);
  void follow(const ContactFrame& frame);
  bool is_clear(int body) const { return clear_[body]; }
  /// True when even clear bodies moved further than pairs of bodies allow; then all skins must be
  /// brought up to date before lists are marked.
  bool needs_all_skins() const { return bodies_outran_; }

  /// Once per substep, with the skins of bodies that are not clear up to date: marks the pairs
  /// whose lists no longer hold.
  void mark_outdated(const ContactFrame& frame);
  // What start_step() or mark_outdated() marked is then listed anew.
  int marked() const { return int(marked_.size()); }
  /// Asks for the boxes that are needed for it.
  void ask_boxes(ContactSurfaces& surfaces) const;
  /// Lists the k-th, different ones at once.
  void list_marked(const ContactFrame& frame, int k);
  /// When all are.
  void finish_lists(const ContactFrame& frame);

  void find(const ContactFrame& frame, ContactList& contacts);

  /// False when nothing can ever touch: bodies that touch colliders only, or a single one.
  bool meets() const { return meets_; }
  int candidates() const { return pairs_.candidates(); }

  /// Between steps, after bodies came and went.
  void renumber(const Renumbering& bodies);
  /// What the next step's contacts depend on. To be called between steps.
  void archive(Archive& archive);

 private:
  struct BodyMotion {     // of one body, since pairs were found
    MotionBudget budget;  // allows what pairs were found for
    double travel = 0;    // [m] no vertex went further in this substep
  };
  struct PairSide {  // one body's vertices with the other's triangles, or a pair's edges
    int pair = 0;
    int a = 0, b = 0;
    CandidateList* vertices = nullptr;  // none: edges
    int kind = 0;                       // 0: a's vertices, 1: b's, 2: edges of the pair
    int start = 0;                      // of its vertices or edges among those of all sides
  };

  void notice_moved(const ContactFrame& frame);
  void find_pairs(const ContactFrame& frame);
  void list(const ContactFrame& frame, BodyPair& pair, bool finds_parts);
  void mark_pairs(const ContactFrame& frame);
  void take_marked();
  bool needs_parts(const ContactFrame& frame, const BodyPair& pair) const;
  void follow_features(const ContactFrame& frame);
  static void follow_features(const ContactFrame& frame, BodyPair& pair);
  bool has_outrun(int body) const;
  void measure(const ContactFrame& frame);
  void measure_all(const ContactFrame& frame);
  void rebase(const ContactFrame& frame);
  void order_sides();
  int count(const PairSide& side) const;
  SkinPair skin_pair(const ContactFrame& frame, const PairSide& side) const;
  void check_recycled(const ContactFrame& frame);
  void look(const ContactFrame& frame, ContactList& contacts);
  void review(const ContactFrame& frame, const ContactList& contacts, std::size_t first);
  static void review(const ContactFrame& frame, const ContactList& contacts, std::size_t first,
                     BodyPair& pair, bool any_sides);
  static void note_depth(const ContactFrame& frame, const Contact& contact, BodyPair& pair);

  BodyPairs pairs_;
  std::vector<BodyMotion> motion_;  // per body
  std::vector<PairSide> sides_;     // vertices in the order of (a, b), then edges in that order
  std::vector<char> clear_;         // per body
  bool meets_ = true;
  bool starts_ = true;          // a step: no substep has begun
  bool bodies_outran_ = false;  // what pairs were found for
  bool any_outran_ = false;     // some pair what its lists allow, or bodies did
  bool paired_ = false;         // pairs were found, and displacements are measured from here

  std::vector<std::vector<Vec3>> base_;  // [m] per body: its nodes where displacements start from
  int age_ = 0;                          // substeps since they were there

  // Workspaces.
  InsideCheck inside_check_;
  std::vector<DisplacementBound> since_base_;  // of skins, as nodes went from base_, where
  std::vector<char> measured_, measure_;  // per body: it is known in this substep; is asked for
  std::vector<double> alone_;
  std::vector<char> outdated_, needs_parts_;  // per pair: is listed anew; from new parts
  std::vector<int> marked_;                   // pairs
  FoundContacts found_;
  std::vector<SkinPair::VertexNeighbours> near_by_;  // per chunk of what is looked at
};

}  // namespace pliant
