#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "body/body.h"
#include "contact/own_meetings.h"
#include "contact/own_motion.h"
#include "contact/own_rest.h"
#include "contact/own_tree.h"
#include "contact/skin_pair.h"

namespace pliant {

/// What of one body can meet what of the same body. Lists hold what comes near each other if all of
/// it goes on as it does, for about a step or some more; then, or where something has gone
/// elsewhere, they are made anew. When that is decides time only, never what is found. A body whose
/// lists are empty needs nothing but bounds of how far its nodes went, in most substeps.
class OwnBody {
 public:
  /// Once per step, before its first substep. `bends`: of its edges, which tell the sharp
  /// edges of the step. Somebody may have moved the body.
  void start_step(const Skin& skin, const SkinShape& shape, const SkinTree& tree,
                  const Bends& bends);
  /// Once per substep of h seconds. `step` [s]: how long lists last, about; `way` and `went` [m]:
  /// see OwnMotion.
  void follow(const Body& body, double step, double h, double way, double went);
  void rest() { active_ = false; }
  bool is_active() const { return active_; }
  /// True when the body cannot touch itself in this substep; then its skin need not be up to date.
  bool stays_clear() const { return !active_ || (!is_outdated() && count() == 0); }
  /// True when lists must be made anew, as far as is known; where that is in doubt, look_again()
  /// tells once the skin is up to date.
  bool is_outdated() const { return active_ && outdated_; }
  void look_again(const Skin& skin);

  /// Then, for those that are outdated, with skin and boxes up to date. `bends`: as when the step
  /// began; `near` [m]: smaller gaps take part in the solve.
  void list(const Body& body, const SkinShape& shape, const SkinTree& tree, const Bends& bends,
            double near);

  // What is listed: vertices, then edges.
  int count() const { return vertices_.count() + int(edges_.size()); }
  /// Appends the contacts of the k-th, if there are any. `pair`: the body and itself; what it says
  /// of motion must be set.
  void look(const SkinPair& pair, int k, SkinPair::Near& near_by, std::vector<Contact>& found);
  void set_motion(SkinPair& pair) const;

  std::size_t candidates() const { return vertices_.candidate.size() + edges_.size(); }

 private:
  struct Listed {  // of some pairs of leaves
    std::vector<BodyCandidates::Found> vertices;
    std::vector<std::array<int, 2>> edges;
    double fastest;
  };
  struct Pair {
    int a, b;             // leaves
    std::size_t meeting;  // see OwnMeetings
  };
  bool may_cross(const Pair& pair) const;
  void list_pairs(const Skin& skin, const SkinShape& shape, const SkinTree& tree, int begin,
                  int end, Listed& listed) const;
  void list_vertices(const Skin& skin, const SkinTree& tree, int leaf, int other,
                     const std::uint8_t* may_touch, Listed& listed) const;
  void find_ridges(const SkinShape& shape, const SkinTree& tree, const Bends& bends);
  static void take_ridges(const SkinShape& shape, const SkinTree& tree, const Bends& bends,
                          int leaf, std::vector<int>& ridges);
  void list_edges(const Skin& skin, const SkinShape& shape, const SkinTree& tree, int leaf,
                  int other, Listed& listed) const;

  bool active_ = false, outdated_ = true;
  bool bent_ = false;  // has other sharp edges than when it was listed
  int revision_ = -1;  // of the skin
  OwnMotion motion_;
  OwnRest rest_;
  OwnMeetings meetings_;
  OwnTree tree_;
  OwnTree::Reach reach_{};
  double h_ = 0, step_ = 0;  // [s] a substep, and how long lists are to last, about

  BodyCandidates::Vertices vertices_;
  std::vector<std::array<int, 2>> edges_;  // in order, each two once
  double fastest_ = 0;                     // [m] what is listed goes no further against each other
  std::vector<int> edged_;                 // leaves whose edges can cross others,
  std::vector<std::vector<int>> ridges_;   // and their sharp edges, per leaf

  // Workspaces.
  std::vector<Vec3> way_;
  std::vector<std::size_t> places_;  // in meetings_
  std::vector<Pair> pairs_;
  std::vector<char> is_edged_;  // per leaf
  std::vector<Listed> listed_;  // the first few
  std::vector<BodyCandidates::Found> found_;
  std::vector<int> ridges_now_;
};

}  // namespace pliant
