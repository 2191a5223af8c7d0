#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "body/body.h"
#include "contact/data/contact_settings.h"
#include "contact/surface/candidate_list.h"
#include "contact/surface/contact_surfaces.h"

namespace pliant {

/// Which features of the skins of two bodies can come near each other. Listed pair by pair, with
/// room for as far as the two are foreseen to move against each other; a pair that moves further is
/// listed anew, whenever that is. Each substep then looks at few features, nearest first.
class BodyPairs {
 public:
  /// Two edges that can come near each other.
  struct ListedEdges {
    int a = 0, b = 0;
    double room = 0;  // [m] as that of a vertex

    bool operator<(const ListedEdges& other) const {
      return a != other.a ? a < other.a : b < other.b;
    }
  };
  /// The vertices of one skin that the lists of a pair speak of, and where they were then.
  struct ListedVertices {
    std::vector<int> vertex;
    std::vector<Vec3> start;  // [m]

    void clear() {
      vertex.clear();
      start.clear();
    }
    void add(const Skin& skin, int v) {
      vertex.push_back(v);
      start.push_back(skin.position[v]);
    }
  };
  /// Those that might have been listed if they had gone another way.
  struct Bystanders {
    ListedVertices watched;
    std::vector<double> room;  // [m] nothing unlisted of the other skin was nearer

    void clear() {
      watched.clear();
      room.clear();
    }
  };
  /// Two bodies that come near each other, a < b.
  struct Pair {
    int a = 0, b = 0;
    int before = -1;      // its place among the pairs when they were last found; -1: it is new
    double reach = 0;     // [m] features that are further apart have no contact,
    double foreseen = 0;  // [m] and by how much distances may change before a new list
    // Lists are made of parts of the two skins: of all that came nearer than `apart` [m] when parts
    // were found.
    SkinTree::Open parts;
    double apart = 0;
    CandidateList of_a;                   // with triangles of b
    CandidateList of_b;                   // the other way round
    std::vector<ListedEdges> edges;       // in order
    ListedVertices watched_a, watched_b;  // what is listed
    Bystanders around_a, around_b;        // and what else of the parts is to be followed

    void forget() {
      of_a.clear();
      of_b.clear();
      edges.clear();
      watched_a.clear();
      watched_b.clear();
      around_a.clear();
      around_b.clear();
    }
    bool empty() const { return of_a.count() + of_b.count() == 0 && edges.empty(); }
    bool has_around() const { return !around_a.watched.vertex.empty(); }

    // Workspaces.
    SkinTree::Open open;
    std::vector<CandidateList::Found> found_a, found_b;
    CandidateList::Workspace workspace;
    std::vector<char> marks_a, marks_b;
    SkinTree::Clearances rooms_a, rooms_b;
  };

  /// Finds the pairs that come near each other while each body moves by `alone` [m], its own. Pairs
  /// that were there before keep what was listed. Skins must be up to date.
  void pair_up(std::span<const Body> bodies, const ContactSurfaces& surfaces,
               const ContactSettings& settings, std::span<const double> alone);
  /// All pairs are new when they are next found.
  void forget() { count_ = 0; }
  /// Whether ridges of its parts came or went with this step.
  static bool is_bent(const Pair& pair, const ContactSurfaces& surfaces);
  /// Finds the parts of two bodies that are nearer than `reach` [m]; where that is none, finds out
  /// how far they are apart, up to `most`. Boxes must be up to date. This and the next two:
  /// different pairs at once.
  static void find_parts(const ContactSurfaces& surfaces, Pair& pair, double reach, double most);
  /// Lists what the two can meet, for as far as the pair foresees. Boxes of its parts must be up to
  /// date.
  static void list(std::span<const Body> bodies, const ContactSurfaces& surfaces, Pair& pair);
  /// Notes which vertices are around what is listed, or would be listed first. Parts that are not
  /// in the pair are further apart than `most` [m].
  static void look_around(std::span<const Body> bodies, const ContactSurfaces& surfaces, Pair& pair,
                          double most);
  /// Asks for the boxes of its parts.
  static void ask_parts(const Pair& pair, ContactSurfaces& surfaces);

  /// In the order of (a, b).
  std::span<Pair> pairs() { return {pairs_.data(), std::size_t(count_)}; }
  std::span<const Pair> pairs() const { return {pairs_.data(), std::size_t(count_)}; }
  /// [m] what lengths of contacts between the two are shares of: the size of the smaller one.
  static double size(std::span<const Body> bodies, int a, int b);
  /// Pairs of features in the lists.
  int count() const;

 private:
  static void watch(std::span<const Body> bodies, const ContactSurfaces& surfaces, Pair& pair);
  static void take_marked(const Skin& skin, const std::vector<char>& marks,
                          ListedVertices& watched);
  static void take_around(const Skin& skin, const std::vector<double>& rooms, double least,
                          double most, Bystanders& around);
  static void list_edges(std::span<const Body> bodies, const ContactSurfaces& surfaces, Pair& pair,
                         int leaf, int other, double reach);

  std::vector<Pair> pairs_;  // the first count_ are in use; the others keep their room
  int count_ = 0;

  // Workspaces.
  std::vector<int> by_place_;
  std::vector<std::pair<int, int>> near_each_other_;
  std::vector<Pair> old_pairs_;
};

}  // namespace pliant
