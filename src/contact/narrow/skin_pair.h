#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "body/skin.h"
#include "contact/data/contact.h"
#include "contact/data/contact_memory.h"
#include "contact/narrow/reach.h"
#include "contact/narrow/recycled_contacts.h"
#include "contact/surface/candidate_list.h"
#include "contact/surface/skin_topology.h"
#include "geometry/query/bvh.h"
#include "geometry/query/segments.h"

namespace pliant {

/// The narrow phase: two skins within a substep, or one and itself; the contacts of their features.
/// Which side of a surface a vertex belongs to:
/// - closed skins have an inside, told by the pseudonormal of the nearest feature;
/// - open skins have none: the side is the one held at the start of the substep;
/// - parts of one body that are closed are two skins, though they share their vertices' numbers;
/// - a self-contact needs a vertex that was in front of the surface at the start of the substep, or
///   is remembered behind it;
/// - a vertex that passed through a triangle within the substep, or an edge through an edge, keeps
///   the side that it came from.
struct SkinPair {
  const Skin& a;
  const Skin& b;
  const SkinTopology& topology_a;
  const SkinTopology& topology_b;
  const ContactMemory& memory;
  int index_a, index_b;  // bodies; -1 = a collider
  double friction;       // Coulomb
  double scale;          // [m] the smaller contact scale
  double thickness;      // [m]
  double near;           // [m] gaps up to here always take part
  double depth;          // [m] deeper overlap is left alone: the way out is ambiguous
  double travel;         // [m] no two features moved further against each other in this substep,
  double moved;          // [m] and since candidates were listed
  double exit;           // [m] by which overlap that was there before is undone in one substep
  double tolerance;      // [m]
  double deepest = 0;    // [m] but features that came fast may be that deep
  double most_way =
      std::numeric_limits<double>::infinity();  // [m] reach grows with travel up to here
  bool of_parts = false;  // of one body, which touch each other as two bodies do

  // Whether two features have a contact depends on these two alone. Bounds for all, such as
  // `travel`, only save work: they depend on the lists, and so on when these were made.

  /// Workspace: the surroundings of a vertex.
  struct VertexNeighbours {
    static constexpr int most = 24;  // enough for corners; the nearest is never left out
    SurfacePoint nearest;
    std::array<SurfacePoint, most> others;  // over the inside of their triangles, in front of them
    int count = 0;
    std::optional<Passage> passage;
    int passed = -1;

    void add(const SurfacePoint& other);
    void clear() {
      nearest.triangle = -1;
      count = 0;
      passage.reset();
    }
  };

  bool one_body() const { return index_a == index_b; }
  bool self() const { return one_body() && !of_parts; }
  /// [m] Gaps smaller than this become contacts, for features that moved so against each other.
  double reach(double way) const { return contact_reach(near, thickness, std::min(way, most_way)); }
  /// [m] Overlap that is deeper is left alone.
  double overlap(double way) const {
    return std::max(depth, std::min(deepest, depth + foreseen_substeps * way));
  }
  /// [m] Features that are further apart have no contact.
  double limit(double way) const { return thickness + std::max(reach(way), overlap(way)); }
  /// [m] Nothing that is further apart is looked at; a little more, for rounding.
  double furthest() const { return (1 + 1e-9) * limit(travel) + 1e-12 * scale; }

  using Candidates = std::span<const Candidate>;
  /// Appends the contacts of a vertex of a with these triangles of b: with the nearest one, and in
  /// a hollow corner with up to two more that look another way. `last`: which of the triangles was
  /// the nearest when it was last asked, or -1; only time depends on it.
  void touch(int vertex, Candidates candidates, int& last, VertexNeighbours& near_by,
             std::vector<Contact>& found) const;
  /// The same for vertices [first, stop) of a list. A vertex that was far away is skipped until the
  /// two have moved so far that it may be near again. `path` [m]: all displacements of the two
  /// against each other since they were listed, there and back.
  void touch_listed(CandidateList& listed, int first, int stop, double path,
                    VertexNeighbours& near_by, std::vector<Contact>& found) const;
  /// The same for pairs of edges that are listed.
  void cross_listed(std::span<ListedEdges> listed, double path, std::vector<Contact>& found) const;
  /// [m] A lower bound of the distance of a vertex of a from these triangles of b, at most `most`.
  double distance(int vertex, Candidates candidates, double most) const;
  /// Appends the contact of an edge of a with one of b, if there is one. Returns how far apart the
  /// two are [m], or less.
  double cross(int edge_a, int edge_b, std::vector<Contact>& found) const;
  /// Appends a contact that was found before, with its gap as it is now.
  void again(const RecycledContact& kept, std::vector<Contact>& found) const;

 private:
  bool may_meet_own(int vertex, const Vec3& normal, int triangle) const;
  void touch_own(int vertex, const SurfacePoint& nearest, std::vector<Contact>& found) const;
  Vec3 way_to(int vertex, const SurfacePoint& p) const;
  bool is_in_reach(int vertex, const SurfacePoint& p) const;
  bool is_in_corner(int vertex, const SurfacePoint& p) const;
  SurfacePoint closest(const Vec3& x, int triangle) const;
  void touch_nearest(int vertex, Candidates candidates, const VertexNeighbours& near_by,
                     std::vector<Contact>& found) const;
  void look_for_passage(int vertex, int triangle, VertexNeighbours& near_by) const;
  void look_around(int vertex, Candidates candidates, int& last, VertexNeighbours& near_by) const;
  bool add(int vertex, int order, int triangle, const Vec3& share, const Vec3& normal, bool passed,
           std::vector<Contact>& found) const;
  void add_wedge(int vertex, const VertexNeighbours& near, const Vec3& first,
                 std::vector<Contact>& found) const;
  Contact& add(const ContactKey& key, const Vec3& normal, double gap, double gap_before,
               bool passed, std::vector<Contact>& found) const;
};

}  // namespace pliant
