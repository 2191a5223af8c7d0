#pragma once

#include <cstdint>
#include <vector>

#include "body/body.h"
#include "contact/motion/extrapolation.h"
#include "contact/narrow/skin_pair.h"
#include "contact/self/exclusion_cache.h"
#include "contact/self/rest_exclusions.h"
#include "contact/self/self_tree.h"
#include "contact/surface/contact_surfaces.h"
#include "contact/surface/leaf_edges.h"

namespace pliant {

/// The features of one body that can touch features of the same body. Lists are built in a
/// co-moving frame by linear extrapolation, for about a step and up to 16; they hold until a vertex
/// deviates by more than the slack. When they are made decides time only, never what is found. A
/// body whose lists are empty needs only bounds of its nodes' displacements in most substeps.
class SelfLists {
 public:
  /// Once per step, before its first substep, with surfaces prepared. The body, which is the
  /// `index`-th, may have been moved since the last step: no two points by more than `moved` [m].
  void start_step(const Skin& skin, int index, const ContactSurfaces& surfaces, double moved);
  /// Once per substep of h seconds. `step` [s]: how long lists last, about; `way` and `went` [m]:
  /// no two points moved further against each other in the substep, and since contacts were found.
  void follow(const Body& body, double step, double h, double way, double went);
  void deactivate() { active_ = false; }
  bool is_active() const { return active_; }
  /// True when the body cannot touch itself in this substep; then its skin need not be up to date.
  bool is_clear() const { return !active_ || (!is_outdated() && count() == 0); }
  /// True when lists must be made anew, as far as is known; where that is in doubt, look_again()
  /// tells once the skin is up to date.
  bool is_outdated() const { return active_ && outdated_; }
  void look_again(const Skin& skin);

  /// Then, for those that are outdated, with skin and boxes up to date. `near` [m]: smaller gaps
  /// take part in the solve.
  void list(const Body& body, int index, const ContactSurfaces& surfaces, double near);

  // Listed features: vertices, then edges.
  int count() const { return vertices_.count() + int(edges_.size()); }
  /// Appends the contacts of [first, stop), if there are any. `pair`: the body and itself; what it
  /// says of motion must be set.
  void look(const SkinPair& pair, int first, int stop, SkinPair::VertexNeighbours& near_by,
            std::vector<Contact>& found);
  void set_motion(SkinPair& pair) const;

  std::size_t candidates() const { return vertices_.candidate.size() + edges_.size(); }

 private:
  struct FoundFeatures {  // of some pairs of leaves
    std::vector<CandidateList::Found> vertices;
    std::vector<ListedEdges> edges;
    double fastest;
  };
  void list_pairs(const Skin& skin, const SkinTopology& topology, const SkinTree& tree, int begin,
                  int end, FoundFeatures& listed) const;
  void list_vertices(const Skin& skin, const SkinTree& tree, int leaf, int other,
                     const std::uint8_t* may_touch, FoundFeatures& listed) const;
  void find_ridges(int index, const ContactSurfaces& surfaces);
  bool have_ridges(const SelfTree::LeafPair& pair) const;
  bool has_other_crossings() const;
  void find_crossings(const Skin& skin, const SkinTopology& topology, const SkinTree& tree);
  void list_edges(const Skin& skin, const SkinTopology& topology, const SkinTree& tree, int leaf,
                  int other, FoundFeatures& listed) const;

  bool active_ = false, outdated_ = true;
  bool bent_ = false;  // has other sharp edges than when it was listed
  int revision_ = -1;  // of the skin
  Extrapolation motion_;
  RestExclusions rest_exclusions_;
  ExclusionCache exclusions_;
  SelfTree tree_;
  SelfTree::MotionReach reach_{};
  double h_ = 0, step_ = 0;  // [s] a substep, and how long lists are to last, about

  CandidateList vertices_;
  std::vector<ListedEdges> edges_;         // in order, each two once
  double path_ = 0;                        // [m] all displacements since they were listed
  double fastest_ = 0;                     // [m] what is listed goes no further against each other
  std::vector<SelfTree::LeafPair> pairs_;  // leaves that come near each other,
  std::vector<int> exclusion_of_;          // and what of them may touch; see ExclusionCache
  bool creased_ = false;                   // where that is a good deal of the body
  LeafEdges ridges_, old_ridges_;          // sharp edges, in this step and the one before
  bool knows_ridges_ = false;              // of this step

  // Workspaces.
  std::vector<Vec3> way_;
  std::vector<int> unknown_;           // pairs
  std::vector<FoundFeatures> listed_;  // the first few
  std::vector<CandidateList::Found> found_;
  CandidateList::Workspace workspace_;
};

}  // namespace pliant
