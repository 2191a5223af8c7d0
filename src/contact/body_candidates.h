#pragma once

#include <span>
#include <vector>

#include "body/body.h"
#include "contact/contact_settings.h"
#include "contact/skin_shape.h"
#include "contact/skin_tree.h"

namespace pliant {

/// Which features of which skins can come near each other during a step: other bodies' and the
/// body's own. Listed once per step, with room for as far as each body is foreseen to move; a body
/// that moves further is noticed, and everything is listed anew.
class BodyCandidates {
 public:
  /// A feature of the other skin, and how far away it was when it was listed.
  struct Candidate {
    double distance = 0;
    int feature = 0;  // triangle, or edge
    auto operator<=>(const Candidate&) const = default;
  };
  /// One vertex (or edge) and what it can meet of one body: candidates[begin, end), nearest first.
  struct Meeting {
    int feature = 0;
    int other = 0;  // body; the own one for self-contact
    int begin = 0, end = 0;
  };
  /// Of one body: meetings in the order of (feature, other).
  struct List {
    std::vector<Meeting> meetings;
    std::vector<Candidate> candidates;
  };

  /// Call first in a step: which way skins look, and where their ridges are, is kept for the step.
  /// Skins must be up to date.
  /// `meet` = false: there is nothing to meet, and nothing but the shapes is looked at.
  void prepare(std::span<const Body> bodies, bool meet);
  /// Brings the boxes up to date within a step.
  void refit(std::span<const Body> bodies);
  /// True when the body's box comes so near to another one's that they may touch while they move by
  /// `foreseen` [m], each its own.
  bool has_neighbours(std::span<const Body> bodies, const ContactSettings& settings,
                      std::span<const double> foreseen, int body);
  /// Skins must be up to date. `foreseen` [m], per body: how far it may move before it must be
  /// listed again.
  void list(std::span<const Body> bodies, const ContactSettings& settings,
            std::span<const double> foreseen);

  const List& vertices(int body) const { return vertices_[body]; }
  const List& edges(int body) const { return edges_[body]; }  // other >= body
  const SkinShape& shape(int body) const { return shape_[body]; }
  /// True when a feature of this body is in any list.
  bool listed(int body) const { return listed_[body]; }
  int count() const;

 private:
  struct Other {
    int body = 0;
    double radius = 0;  // [m] what is further away cannot touch
    double play = 0;    // [m] by which the order of distances may change
    Box box;            // of the other, grown by the radius
  };

  void find_ridges(const Body& body, int b);
  double radius(const Body& a, const Body& b, const ContactSettings& settings, double foreseen_a,
                double foreseen_b) const;
  void find_others(std::span<const Body> bodies, const ContactSettings& settings,
                   std::span<const double> foreseen, int a, int first, bool self);
  void find_active(const Skin& skin, int a, const Other& other);
  void ask_vertex(std::span<const Body> bodies, double foreseen, int a, int v, const Other& other,
                  List& list) const;
  void ask_edge(std::span<const Body> bodies, int a, int e, const Other& other, List& list) const;
  void list_body(std::span<const Body> bodies, const ContactSettings& settings,
                 std::span<const double> foreseen, int a);
  void gather(List& list);

  // Per body.
  std::vector<SkinShape> shape_;
  std::vector<SkinTree> tree_;
  std::vector<std::vector<char>>
      ridge_;  // per edge: convex and sharp, so that edges can meet there
  std::vector<std::vector<int>> ridges_;  // those edges
  std::vector<List> vertices_, edges_;
  std::vector<char> listed_;

  // Workspaces.
  std::vector<Other> others_;
  std::vector<char> active_triangle_, active_vertex_;
  std::vector<int> vertices_to_ask_, edges_to_ask_;
  std::vector<List> chunks_;
};

}  // namespace pliant
