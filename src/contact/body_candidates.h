#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "body/body.h"
#include "contact/contact_settings.h"
#include "contact/leaf_edges.h"
#include "contact/skin_shape.h"
#include "contact/skin_tree.h"

namespace pliant {

/// Which features of the skins of two bodies can come near each other. Listed pair by pair, with
/// room for as far as the two are foreseen to move against each other; a pair that moves further is
/// listed anew, whenever that is. Each substep then looks at few features, nearest first.
class BodyCandidates {
 public:
  /// A triangle that a vertex can meet.
  struct Candidate {
    int triangle = 0;
    float distance = 0;  // [m] not nearer than this when it was listed
  };
  using Found = LeafBoxes::Found;
  /// Vertices of one skin and, for each, the triangles of the other one that can come near it.
  struct Vertices {
    std::vector<int> vertex;           // rising
    std::vector<int> start;            // vertex[i] can meet candidate[start[i], start[i + 1])
    std::vector<Candidate> candidate;  // the nearest first
    // Which of its candidates was the nearest to vertex[i] when it was last looked at, or -1: a
    // good guess, which spares the others.
    std::vector<int> last;
    // [m] None of its candidates comes nearer to vertex[i] than this, less the way that the pair
    // went since it was listed. Found out when it was last looked at; 0 = look.
    std::vector<double> room;

    int count() const { return int(vertex.size()); }
    std::span<const Candidate> candidates(int i) const {
      return {candidate.data() + start[i], std::size_t(start[i + 1] - start[i])};
    }
    /// Takes what was found, in order; sorts that.
    void take(std::vector<Found>& found);
    void clear() {
      vertex.clear();
      start.assign(1, 0);
      candidate.clear();
      last.clear();
      room.clear();
    }
  };
  /// Two edges that can come near each other.
  struct Edges {
    int a = 0, b = 0;
    double room = 0;  // [m] as that of a vertex

    bool operator<(const Edges& other) const { return a != other.a ? a < other.a : b < other.b; }
  };
  /// The vertices of one skin that the lists of a pair speak of, and where they were then.
  struct Watched {
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
  struct Around {
    Watched watched;
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
    Vertices of_a;                 // with triangles of b
    Vertices of_b;                 // the other way round
    std::vector<Edges> edges;      // in order
    Watched watched_a, watched_b;  // what is listed
    Around around_a, around_b;     // and what else of the parts is to be followed

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
    std::vector<Found> found_a, found_b;
    std::vector<int> next;
    std::vector<std::uint64_t> keys;
    std::vector<char> marks_a, marks_b;
    SkinTree::Rooms rooms_a, rooms_b;
  };

  /// Call first in a step: which way skins look, and where their ridges are, is kept for the step.
  /// Skins must be up to date. With Touches::colliders nothing but the shapes is looked at.
  void prepare(std::span<const Body> bodies, Touches touch);
  /// Finds the pairs that come near each other while each body moves by `alone` [m], its own. Pairs
  /// that were there before keep what was listed. Skins must be up to date.
  void pair_up(std::span<const Body> bodies, const ContactSettings& settings,
               std::span<const double> alone);
  /// All pairs are new when they are next found.
  void forget() { count_ = 0; }
  /// Whether ridges of its parts came or went with this step.
  bool is_bent(const Pair& pair) const;
  /// Finds the parts of two bodies that are nearer than `reach` [m]; where that is none, finds out
  /// how far they are apart, up to `most`. Boxes must be up to date. This and the next two:
  /// different pairs at once.
  void find_parts(Pair& pair, double reach, double most) const;
  /// Lists what the two can meet, for as far as the pair foresees. Boxes of its parts must be up to
  /// date.
  void list(std::span<const Body> bodies, Pair& pair) const;
  /// Notes which vertices are around what is listed, or would be listed first. Parts that are not
  /// in the pair are further apart than `most` [m].
  void look_around(std::span<const Body> bodies, Pair& pair, double most) const;
  /// Brings the boxes of a body up to date within a step: all, or those of parts that were named.
  void refit(const Body& body, int index);
  void name_parts(const Pair& pair);
  void refit_named(const Body& body, int index) { tree_[index].refit_named(body.skin); }
  /// The same for its box alone; the others follow when it comes near something.
  void place(const Body& body, int index);

  /// In the order of (a, b).
  std::span<Pair> pairs() { return {pairs_.data(), std::size_t(count_)}; }
  std::span<const Pair> pairs() const { return {pairs_.data(), std::size_t(count_)}; }
  /// [m] what lengths of contacts between the two are shares of: the size of the smaller one.
  static double size(std::span<const Body> bodies, int a, int b);
  const SkinShape& shape(int body) const { return shape_[body]; }
  const SkinTree& tree(int body) const { return tree_[body]; }
  /// Whether it has another skin than when the step before was prepared.
  bool is_new(int body) const { return is_new_[body]; }
  /// Whether that was another one, and not none.
  bool is_replaced(int body) const { return is_replaced_[body]; }
  /// The body has a changed skin and is still the same: tables are made anew, nothing is replaced.
  void outdate(int body) {
    if (body < int(shape_.size())) shape_[body].revision = -1;
  }
  /// When the step began; ridges: edges that are not flat, so that others can meet them.
  const Bends& bends(int body) const { return bends_[body]; }
  const LeafEdges& ridges(int body) const { return ridges_[body]; }
  std::span<const SkinShape> shapes() const { return shape_; }
  /// Pairs of features in the lists.
  int count() const;

 private:
  void find_ridges(const Body& body, int b);
  void watch(std::span<const Body> bodies, Pair& pair) const;
  static void take_marked(const Skin& skin, const std::vector<char>& marks, Watched& watched);
  static void take_around(const Skin& skin, const std::vector<double>& rooms, double least,
                          double most, Around& around);
  void list_edges(std::span<const Body> bodies, Pair& pair, int leaf, int other,
                  double reach) const;

  // Per body.
  std::vector<SkinShape> shape_;
  std::vector<SkinTree> tree_;
  std::vector<Bends> bends_;                    // when the step began
  std::vector<LeafEdges> ridges_, old_ridges_;  // likewise, and in the step before
  std::vector<Box> box_;                        // round all of it
  std::vector<char> is_new_;             // its skin is another one than when pairs were found
  std::vector<char> is_replaced_;        // its skin is another one than in the last step
  std::vector<std::vector<char>> bent_;  // per part: has other ridges than the step before

  std::vector<Pair> pairs_;  // the first count_ are in use; the others keep their room
  int count_ = 0;

  // Workspaces.
  std::vector<int> by_place_;
  std::vector<std::pair<int, int>> near_each_other_;
  std::vector<Pair> old_pairs_;
};

}  // namespace pliant
