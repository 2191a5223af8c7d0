#pragma once

#include <span>
#include <utility>
#include <vector>

#include "body/body.h"
#include "contact/contact_settings.h"
#include "contact/skin_shape.h"
#include "contact/skin_tree.h"

namespace pliant {

/// Which parts of which skins can come near each other during a step: of two bodies, or of one body
/// with itself. Listed pair by pair once per step, leaf by leaf of the skins' trees, with room for
/// as far as the two are foreseen to move against each other; a pair that moves further is listed
/// anew.
class BodyCandidates {
 public:
  /// Leaves of one skin and, for each, those of the other one that can come near it.
  struct Leaves {
    std::vector<int> leaf;   // rising
    std::vector<int> start;  // leaf[i] can meet other[start[i], start[i + 1])
    std::vector<int> other;

    int count() const { return int(leaf.size()); }
    std::span<const int> others(int i) const {
      return {other.data() + start[i], std::size_t(start[i + 1] - start[i])};
    }
    void clear() {
      leaf.clear();
      start.assign(1, 0);
      other.clear();
    }
  };
  /// Two bodies that come near each other, a <= b.
  struct Pair {
    int a = 0, b = 0;
    double foreseen = 0;  // [m] by which distances between the two may change before a new list
    Leaves of_a;          // with those of b
    Leaves of_b;          // the other way round; empty for a == b

    bool self() const { return a == b; }
    bool empty() const { return of_a.leaf.empty(); }
  };

  /// Call first in a step: which way skins look, and where their ridges are, is kept for the step.
  /// Skins must be up to date. With Touches::colliders nothing but the shapes is looked at.
  void prepare(std::span<const Body> bodies, Touches touch);
  /// Finds the pairs that come near each other while each body moves by `alone` [m], its own, and
  /// forgets what was listed. Skins and boxes must be up to date.
  void pair_up(std::span<const Body> bodies, const ContactSettings& settings,
               std::span<const double> alone);
  /// Lists what the two can meet, for as far as the pair foresees. Their boxes must be up to date.
  void list(std::span<const Body> bodies, const ContactSettings& settings, Pair& pair);
  /// Brings the boxes of a body up to date within a step.
  void refit(const Body& body, int index) { tree_[index].refit(body.skin); }
  /// Once all is listed: which leaves of each body are in any list.
  void gather_leaves();
  /// Brings those leaves' ways through the substep up to date.
  void follow(const Body& body, int index) { tree_[index].follow(body.skin, active_[index]); }

  /// In the order of (a, b).
  std::span<Pair> pairs() { return {pairs_.data(), std::size_t(count_)}; }
  std::span<const Pair> pairs() const { return {pairs_.data(), std::size_t(count_)}; }
  /// [m] what lengths of contacts between the two are shares of: the size of the smaller one. Parts
  /// of one body are as thin as its elements allow, however long it is.
  double size(std::span<const Body> bodies, int a, int b) const;
  const SkinShape& shape(int body) const { return shape_[body]; }
  std::span<const SkinShape> shapes() const { return shape_; }
  const SkinTree& tree(int body) const { return tree_[body]; }
  /// The edges of a leaf that are convex and sharp, or open, so that other edges can meet them.
  std::span<const int> ridges(int body, int leaf) const {
    const std::vector<int>& start = ridge_start_[body];
    return {ridges_[body].data() + start[leaf], std::size_t(start[leaf + 1] - start[leaf])};
  }
  /// Pairs of leaves that are looked at in each substep.
  int count() const;

 private:
  void find_ridges(const Body& body, int b);
  void sort_out(int leaves, bool turned, Leaves& out);

  // Per body.
  std::vector<SkinShape> shape_;
  std::vector<SkinTree> tree_;
  std::vector<std::vector<int>> ridges_;       // edges, by the leaf of their first triangle
  std::vector<std::vector<int>> ridge_start_;  // leaf -> its ridges
  std::vector<std::vector<int>> active_;       // leaves in any list

  std::vector<Pair> pairs_;  // the first count_ are in use; the others keep their room
  int count_ = 0;

  // Workspaces.
  std::vector<int> by_place_, next_;
  std::vector<std::pair<int, int>> near_;  // leaves of a and b
};

}  // namespace pliant
