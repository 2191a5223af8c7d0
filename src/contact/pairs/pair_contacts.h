#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "body/body.h"
#include "contact/data/contact_list.h"
#include "contact/data/contact_memory.h"
#include "contact/data/found_contacts.h"
#include "contact/motion/displacement.h"
#include "contact/narrow/inside_check.h"
#include "contact/narrow/recycled_contacts.h"
#include "contact/narrow/skin_pair.h"
#include "contact/pairs/body_pairs.h"

namespace pliant {

/// Finds contacts between the skins of different bodies: of vertices with triangles, and of edges
/// that cross. Here is which bodies can touch each other, and when that must be looked up again;
/// what a contact is, is said in narrow/skin_pair.h.
class PairContacts {
 public:
  /// Once per step of dt seconds. Skins and surfaces must be up to date. `went`: where those of
  /// bodies went since they were last seen, where that is known of all.
  void find_candidates(std::span<const Body> bodies, const ContactSurfaces& surfaces,
                       const ContactSettings& settings, double dt,
                       std::span<const DisplacementBound> went);

  /// Once per substep, with how the bodies' skins moved.
  void follow(std::span<const Body> bodies, const ContactSurfaces& surfaces,
              std::span<const SkinMotion> moved);
  /// True when the body cannot touch another one; then its skin need not be up to date.
  bool is_clear(int body) const { return clear_[body]; }
  /// True when even bodies that stay clear moved further than was foreseen; then all skins must be
  /// brought up to date first.
  bool all_outran() const { return all_outran_; }
  /// Then, with the skins of bodies that do not stay clear up to date: marks the pairs that moved
  /// further than was foreseen.
  void mark_outran(std::span<const Body> bodies, ContactSurfaces& surfaces,
                   const ContactSettings& settings, std::span<const SkinMotion> moved);

  // What find_candidates() or mark_outran() marked is then listed anew.
  int marked() const { return int(marked_.size()); }
  /// Asks for the boxes that are needed for it.
  void ask_boxes(ContactSurfaces& surfaces) const;
  /// Lists the k-th, different ones at once.
  void list_marked(std::span<const Body> bodies, const ContactSurfaces& surfaces, int k);
  /// When all are.
  void finish_lists(std::span<const Body> bodies, const ContactSurfaces& surfaces);

  /// Appends contacts in key order, without impulses.
  void find(std::span<const Body> bodies, const ContactSurfaces& surfaces,
            const ContactSettings& settings, const ContactMemory& memory, const Substep& substep,
            ContactList& contacts);

  /// False when nothing can ever touch: bodies that touch colliders only, or a single one.
  bool meets() const { return meets_; }
  int candidates() const { return candidates_.count(); }

  /// What the next step's contacts depend on. To be called between steps.
  void archive(Archive& archive);

 private:
  struct BodyBudget {     // of one body
    double foreseen = 0;  // [m] its way until pairs must be found anew
    double before = 0;    // [m] its way until ways were measured from where it was then,
    double moved = 0;     // [m] and until now, or more
    double travel = 0;    // [m] no vertex went further in this substep
  };
  struct Together {     // of a pair of bodies
    double before = 0;  // [m] no distance between the two changed more since parts were found,
    double moved = 0;   // [m] likewise until now: measured where a sum of ways does not do,
    bool young = true;  // unless parts were found after ways began to be measured: then a sum
    double went = 0;    // [m] nor by more than this since the two were last seen,
    double travel = 0;  // [m] nor by more than this in this substep
    // [m] The same for listed features alone: where bodies press on each other, and far from where
    // they are fast, much less.
    double features_moved = 0, features_travel = 0;
    double gone = 0;        // [m] all that they went since they were listed, there and back
    double room_left = 0;   // [m] nothing that is not listed came nearer
    double thickness = 0;   // [m]
    double near = 0;        // [m] how far contacts reach at most, unless the two are fast
    bool deep = true;       // may overlap by more than a substep's motion: look further
    bool overlaps = false;  // in this substep, or did before
    RecycledContacts kept;  // contacts that stay as they were found

    /// [m] Gaps that always take part in the solve; others by how far they went themselves.
    double always() const { return deep ? near : std::min(near, thickness); }
    /// [m] What is further apart has no contact, nor passes within a substep; and likewise if what
    /// is listed may go as far as the two bodies do anywhere.
    double reach() const { return reach(features_travel); }
    double reach_at_most() const { return reach(std::max(travel, features_travel)); }
    double reach(double way) const;
    /// By so much distances may have changed.
    void go(double way) {
      room_left -= way;
      gone += way;
    }
  };
  struct RememberedPair {  // of a pair, from one step to the next
    int a, b;
    bool deep;
    double features_travel;  // [m] only a guess of what lists must reach
  };
  struct PairSide {  // one body's vertices with the other's triangles, or a pair's edges
    int pair = 0;
    int a = 0, b = 0;
    CandidateList* vertices = nullptr;  // none: edges
    int kind = 0;                       // 0: a's vertices, 1: b's, 2: edges of the pair
    int start = 0;                      // of its vertices or edges among those of all sides
  };

  void notice_moved(std::span<const Body> bodies, const ContactSurfaces& surfaces,
                    std::span<const DisplacementBound> went);
  void find_pairs(std::span<const Body> bodies, const ContactSurfaces& surfaces,
                  const ContactSettings& settings, std::span<const SkinMotion> moved);
  void list(std::span<const Body> bodies, const ContactSurfaces& surfaces, std::size_t pair,
            bool finds_parts);
  void mark_pairs(std::span<const Body> bodies, const ContactSurfaces& surfaces);
  void take_marked();
  double sight(std::span<const Body> bodies, std::size_t pair) const;
  bool needs_parts(std::span<const Body> bodies, std::size_t pair) const;
  static double room_left(const Skin& skin, const BodyPairs::Bystanders& around,
                          const Vec3& middle);
  bool bodies_outran(std::size_t pair) const;
  bool pair_outran(std::size_t pair) const;
  void follow_features(std::span<const Body> bodies);
  void follow_features(std::span<const Body> bodies, std::size_t pair);
  bool outran_foreseen(int body) const;
  void measure(std::span<const Body> bodies, const ContactSurfaces& surfaces);
  void measure_all(std::span<const Body> bodies, const ContactSurfaces& surfaces);
  void measure_from_here(std::span<const Body> bodies);
  void line_up();
  int count(const PairSide& side) const;
  SkinPair skin_pair(std::span<const Body> bodies, const ContactSurfaces& surfaces,
                     const ContactSettings& settings, const ContactMemory& memory,
                     const PairSide& side, double h) const;
  void look_at_edges(const SkinPair& pair, const PairSide& side, int first, int stop,
                     std::vector<Contact>& found);
  void check_kept(std::span<const Body> bodies);
  void look(std::span<const Body> bodies, const ContactSurfaces& surfaces,
            const ContactSettings& settings, const ContactMemory& memory, double h,
            ContactList& contacts);
  void look_back(std::span<const Body> bodies, const ContactSurfaces& surfaces,
                 const ContactSettings& settings, const ContactList& contacts, std::size_t first);
  static void note_depth(std::span<const Body> bodies, const Contact& contact, Together& together);
  void remember_pairs();
  void recall_pairs();

  BodyPairs candidates_;
  std::vector<BodyBudget> moving_;     // per body
  std::vector<Together> together_;     // per pair
  std::vector<PairSide> sides_;        // vertices in the order of (a, b), then edges likewise
  std::vector<char> clear_;            // per body
  std::vector<RememberedPair> known_;  // in the order of (a, b)
  bool meets_ = true, outran_ = false, all_outran_ = false;
  bool starts_ = true;   // a step: no substep has begun
  bool paired_ = false;  // anew: ways are measured from here
  double step_ = 0;      // [s]

  std::vector<std::vector<Vec3>> start_;  // [m] per body: its nodes where ways are measured from
  int age_ = 0;                           // substeps since they were there

  // Workspaces.
  InsideCheck inside_check_;
  std::vector<DisplacementBound> since_;  // of skins, as nodes went from start_, where
  std::vector<char> measured_, measure_;  // per body: it is known in this substep; is asked for
  std::vector<double> alone_;
  std::vector<Together> old_together_;
  std::vector<char> outran_pairs_, renewed_;  // per pair: listed anew; from new parts
  std::vector<int> marked_;                   // pairs
  FoundContacts found_;
  std::vector<SkinPair::VertexNeighbours> near_by_;  // per chunk of what is looked at
};

}  // namespace pliant
