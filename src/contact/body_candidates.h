#pragma once

#include <span>
#include <utility>
#include <vector>

#include "body/body.h"
#include "contact/contact_settings.h"
#include "contact/skin_shape.h"
#include "contact/skin_tree.h"

namespace pliant {

/// Which features of which skins can come near each other during a step: of two bodies, or of one
/// body with itself. Listed pair by pair once per step, with room for as far as the two are
/// foreseen to move against each other; a pair that moves further is listed anew.
class BodyCandidates {
 public:
  /// A feature of the other skin, and how far away it was when it was listed.
  struct Candidate {
    double distance = 0;
    int feature = 0;  // triangle, or edge
    auto operator<=>(const Candidate&) const = default;
  };
  /// One vertex (or edge) and what it can meet: candidates[begin, end), nearest first.
  struct Meeting {
    int feature = 0;
    int begin = 0, end = 0;
  };
  struct List {
    std::vector<Meeting> meetings;  // in the order of their features
    std::vector<Candidate> candidates;
  };
  /// Two bodies that come near each other, a <= b.
  struct Pair {
    int a = 0, b = 0;
    double foreseen = 0;  // [m] by which distances between the two may change before a new list
    List vertices_a;      // of a, with triangles of b
    List vertices_b;      // the other way round; empty for a == b
    List edges;           // of a, with edges of b

    bool self() const { return a == b; }
    bool empty() const {
      return vertices_a.meetings.empty() && vertices_b.meetings.empty() && edges.meetings.empty();
    }
  };

  /// Call first in a step: which way skins look, and where their ridges are, is kept for the step.
  /// Skins must be up to date.
  /// `meet` = false: there is nothing to meet, and nothing but the shapes is looked at.
  void prepare(std::span<const Body> bodies, bool meet);
  /// Finds the pairs that come near each other while each body moves by `alone` [m], its own, and
  /// forgets what was listed. Skins must be up to date.
  void pair_up(std::span<const Body> bodies, const ContactSettings& settings,
               std::span<const double> alone);
  /// Lists what the two can meet, for as far as the pair foresees. Their skins must be up to date,
  /// their boxes too.
  void list(std::span<const Body> bodies, const ContactSettings& settings, Pair& pair);
  /// Brings the boxes of a body up to date within a step.
  void refit(const Body& body, int index) { tree_[index].refit(body.skin, false); }

  /// In the order of (a, b).
  std::span<Pair> pairs() { return {pairs_.data(), std::size_t(count_)}; }
  std::span<const Pair> pairs() const { return {pairs_.data(), std::size_t(count_)}; }
  const SkinShape& shape(int body) const { return shape_[body]; }
  int count() const;

 private:
  /// One side of a pair.
  struct Meet {
    int a = 0, b = 0;
    double radius = 0;    // [m] what is further away cannot touch
    double foreseen = 0;  // [m]
  };
  /// Leaves of one skin and, for each, those of another one that are near.
  struct Leaves {
    std::vector<int> leaf, start, other;
  };

  void find_ridges(const Body& body, int b);
  void list_two(std::span<const Body> bodies, const Meet& meet, Pair& pair);
  void list_self(std::span<const Body> bodies, const Meet& meet, Pair& pair);
  void sort_out(const SkinTree& tree, bool turned);
  void ask_leaf_vertices(std::span<const Body> bodies, const Meet& meet, int i, List& list) const;
  void ask_leaf_ridges(std::span<const Body> bodies, const Meet& meet, int i, List& list) const;
  void ask_own_vertex(const Body& body, const Meet& meet, int v, List& list) const;
  void ask_own_ridge(const Body& body, const Meet& meet, int e, List& list) const;
  template <class Ask>
  void ask(int count, List& list, const Ask& ask_one);

  // Per body.
  std::vector<SkinShape> shape_;
  std::vector<SkinTree> tree_;
  std::vector<std::vector<char>>
      ridge_;  // per edge: convex and sharp, so that edges can meet there
  std::vector<std::vector<int>> ridges_;       // those edges, by the leaf of their first triangle
  std::vector<std::vector<int>> ridge_start_;  // leaf -> its ridges

  std::vector<Pair> pairs_;  // the first count_ are in use; the others keep their room
  int count_ = 0;

  // Workspaces.
  std::vector<int> by_place_;
  std::vector<std::pair<int, int>> near_;  // leaves of a and b
  Leaves leaves_;
  std::vector<int> next_;
  std::vector<char> active_triangle_, active_vertex_;
  std::vector<int> to_ask_;
  std::vector<List> chunks_;
};

}  // namespace pliant
