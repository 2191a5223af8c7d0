#pragma once

#include <span>
#include <vector>

#include "body/body.h"
#include "contact/data/contact_settings.h"
#include "contact/data/renumbering.h"
#include "contact/surface/leaf_edges.h"
#include "contact/surface/skin_topology.h"
#include "contact/surface/skin_tree.h"

namespace pliant {

/// The skins of all bodies as contact sees them: topology, a tree of boxes, and which edges are
/// ridges. Shared by all finders.
class ContactSurfaces {
 public:
  /// Call first in a step: how edges bend is kept for the step. Skins must be up to date. With
  /// Touches::colliders nothing but topology and tree is brought up to date.
  void prepare(std::span<const Body> bodies, Touches touch);
  /// After bodies came and went.
  void renumber(const Renumbering& bodies);
  /// All skins count as known until the next call of prepare().
  void forget_new();

  /// Brings the box round a whole body up to date.
  void place(const Body& body, int index);
  // Boxes of trees are brought up to date within a step where they were asked for: all of a body,
  // or those of some parts of its tree.
  void ask_all(int body) { asks_all_[body] = 1; }
  void ask_part(int body, int part) { tree_[body].name_part(part); }
  void refit_asked(std::span<const Body> bodies);

  int count() const { return int(topology_.size()); }
  const SkinTopology& topology(int body) const { return topology_[body]; }
  std::span<const SkinTopology> topologies() const { return topology_; }
  const SkinTree& tree(int body) const { return tree_[body]; }
  const Box& box(int body) const { return box_[body]; }
  /// How edges bent when the step began; ridges: edges that are not flat, so that others can meet
  /// them.
  const Creases& creases(int body) const { return creases_[body]; }
  const LeafEdges& ridges(int body) const { return ridges_[body]; }
  /// Whether a part of the tree has other ridges than in the step before.
  bool is_bent(int body, int part) const { return bent_[body][part]; }

  /// Whether the body has another skin than when the step before was prepared.
  bool is_new(int body) const { return is_new_[body]; }
  /// Whether that was another one, and not none.
  bool is_replaced(int body) const { return is_replaced_[body]; }
  /// The body changed its triangles and is still the same: tables are made anew, nothing is
  /// replaced.
  void outdate(int body) {
    if (body < int(topology_.size())) topology_[body].revision = -1;
  }

 private:
  void find_ridges(const Body& body, int index);

  // Per body.
  std::vector<BodyId> id_;
  std::vector<SkinTopology> topology_;
  std::vector<SkinTree> tree_;
  std::vector<Box> box_;                        // round all of it
  std::vector<Creases> creases_;                // when the step began
  std::vector<LeafEdges> ridges_, old_ridges_;  // then, and in the step before
  std::vector<std::vector<char>> bent_;         // per part
  std::vector<char> is_new_, is_replaced_;
  std::vector<char> asks_all_;
};

}  // namespace pliant
