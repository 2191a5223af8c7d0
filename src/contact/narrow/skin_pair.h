#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "body/body.h"
#include "contact/data/contact.h"
#include "contact/data/contact_memory.h"
#include "contact/narrow/reach.h"
#include "contact/narrow/recycled_contacts.h"
#include "contact/surface/candidate_list.h"
#include "contact/surface/skin_topology.h"
#include "geometry/query/bvh.h"
#include "geometry/query/segments.h"

namespace pliant {

/// Two skins within a substep, or one and itself: the contacts of their features. What counts as
/// behind:
/// - closed skins have an inside, told by the normal at the nearest feature;
/// - open skins have none: the side is the one held at the start of the substep;
/// - of its own body a vertex only meets what it was in front of, or touched in the last substep;
/// - whoever passed through a triangle, or edge through edge, within the substep is held on the
///   side it came from.
struct SkinPair {
  const Body& a;
  const Body& b;
  const SkinTopology& topology_a;
  const SkinTopology& topology_b;
  const ContactMemory& memory;
  int index_a, index_b;
  double size;         // [m] of the smaller
  double thickness;    // [m]
  double near;         // [m] gaps up to here always take part
  double depth;        // [m] overlap that is deeper is left alone: nobody can tell which way is out
  double travel;       // [m] no two features moved further against each other in this substep
  double moved;        // [m] and since candidates were listed
  double exit;         // [m] by which overlap that was there before is undone in one substep
  double tolerance;    // [m]
  double deepest = 0;  // [m] but what came fast may be that deep
  double most_way = std::numeric_limits<double>::infinity();  // [m] reach depends on no longer ones

  // What has a contact depends on the two features alone. Bounds for all, such as `travel`, only
  // spare work: they differ with what is listed, and so with when that was.

  /// Workspace: what a vertex finds around it.
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

  bool self() const { return index_a == index_b; }
  /// [m] Gaps smaller than this become contacts, for features that moved so against each other.
  double reach(double way) const { return contact_reach(near, thickness, std::min(way, most_way)); }
  /// [m] Overlap that is deeper is left alone.
  double overlap(double way) const {
    return std::max(depth, std::min(deepest, depth + foreseen_substeps * way));
  }
  /// [m] Features that are further apart have no contact.
  double limit(double way) const { return thickness + std::max(reach(way), overlap(way)); }
  /// [m] Nothing that is further apart is looked at; a little more, for rounding.
  double furthest() const { return (1 + 1e-9) * limit(travel) + 1e-12 * size; }

  using Candidates = std::span<const Candidate>;
  /// Appends the contacts of a vertex of a with these triangles of b: with the nearest one, and in
  /// a hollow corner with up to two more that look another way. `last`: which of the triangles was
  /// the nearest when it was last asked, or -1; only time depends on it.
  void touch(int vertex, Candidates candidates, int& last, VertexNeighbours& near_by,
             std::vector<Contact>& found) const;
  /// The same for vertices [first, stop) of a list. Whoever was seen to be far away is passed over
  /// until the two have gone so far that it may be near again. `gone` [m]: all that any of them
  /// went against each other since they were listed, there and back.
  void touch_listed(CandidateList& listed, int first, int stop, double gone,
                    VertexNeighbours& near_by, std::vector<Contact>& found) const;
  /// [m] None of these triangles of b is nearer to a vertex of a; `most` where that is not less.
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
