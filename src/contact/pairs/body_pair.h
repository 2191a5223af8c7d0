#pragma once

#include <algorithm>
#include <vector>

#include "body/body.h"
#include "contact/motion/motion_budget.h"
#include "contact/narrow/reach.h"
#include "contact/narrow/recycled_contacts.h"
#include "contact/surface/candidate_list.h"

namespace pliant {

/// Some vertices of a skin, and where they were when they were listed.
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

/// Vertices outside the lists but inside the parts; their clearance is tracked so that the lists
/// can be proved complete.
struct Bystanders {
  ListedVertices listed;
  std::vector<double> clearance;  // [m] nothing unlisted of the other skin was nearer

  void clear() {
    listed.clear();
    clearance.clear();
  }
};

/// Two bodies that come near each other, a < b.
///
///   pair of bodies ----> parts ----> lists of features ----> contacts
///   BodyPairs, by        of their    vertices with triangles,  each substep,
///   boxes                trees       edges with edges          or recycled
///
/// Each is made from the one before it, less often, and holds as long as its budget of motion.
struct BodyPair {
  int a = 0, b = 0;
  bool is_listed = false;  // holds lists of the two bodies as they are

  // Motion of the two against each other, [m].
  double travel = 0;           // no distance between the two changed by more in this substep
  double since_detection = 0;  // nor by more since the two skins were last refreshed
  double listed_travel =
      0;                    // the same for listed features alone: where bodies press on each other,
  double listed_moved = 0;  // and far from where they are fast, much less. This: since listed
  double path = 0;          // all displacements since features were listed, there and back
  MotionBudget parts;       // since parts were found; allows the separation of the two elsewhere
  MotionBudget bystanders;  // since their clearance was measured; allows the least of it

  double thickness = 0;   // [m]
  double near = 0;        // [m] how far contacts reach at most, unless the two are fast
  bool deep = true;       // may overlap by more than a substep's motion: look further
  bool overlaps = false;  // in this substep, or did before
  RecycledContacts recycled;

  // Lists: of features of the parts that were nearer than reach + allowance.
  double reach = 0;      // [m] features that are further apart have no contact
  double allowance = 0;  // [m] by which distances may change
  SkinTree::Open part_pairs;
  CandidateList of_a;                 // vertices of a with triangles of b
  CandidateList of_b;                 // the other way round
  std::vector<ListedEdges> edges;     // in order
  ListedVertices listed_a, listed_b;  // all vertices that the lists speak of
  Bystanders around_a, around_b;

  // Workspaces.
  SkinTree::Open open;
  std::vector<CandidateList::Found> found_a, found_b;
  CandidateList::Workspace workspace;
  std::vector<char> marks_a, marks_b;
  SkinTree::Clearances clearances_a, clearances_b;

  /// Another pair, or one of which nothing is known but whether it is deep.
  void reset(int body_a, int body_b) {
    a = body_a, b = body_b;
    is_listed = false;
    travel = since_detection = listed_moved = path = 0;
    parts = bystanders = {};
    overlaps = false;
    recycled.clear();
    clear_lists();
  }
  void clear_lists() {
    of_a.clear();
    of_b.clear();
    edges.clear();
    listed_a.clear();
    listed_b.clear();
    around_a.clear();
    around_b.clear();
  }
  bool has_no_features() const { return of_a.count() + of_b.count() == 0 && edges.empty(); }
  bool has_bystanders() const { return !around_a.listed.vertex.empty(); }

  /// [m] Gaps that always take part in the solve; others by how far they went themselves.
  double always() const { return deep ? near : std::min(near, thickness); }
  /// [m] Features further apart than this have no contact, and pass none within a substep: for
  /// listed features, and for features that may move as far as any of the two bodies.
  double reach_now() const { return reach_for(listed_travel); }
  double reach_of_any() const { return reach_for(std::max(travel, listed_travel)); }
  double reach_for(double moved) const {
    return std::max(thickness + contact_reach(always(), thickness, moved), travel);
  }
  /// Distances may have changed by so much.
  void move(double displacement) {
    bystanders.add(displacement);
    path += displacement;
  }
  /// Whether no list is needed: contacts of this substep are recycled.
  bool is_recycled() const { return recycled.now; }
  bool parts_hold() const { return parts.holds(reach_now()); }
  bool lists_hold() const {
    if (is_recycled()) return true;
    return parts_hold() && (!has_bystanders() || bystanders.holds(reach_now()));
  }
};

/// [m] What lengths of contacts between two bodies are shares of: the smaller contact scale.
inline double scale_of_pair(std::span<const Body> bodies, int a, int b) {
  return std::min(bodies[a].contact_scale, bodies[b].contact_scale);
}
inline double scale_of(std::span<const Body> bodies, const BodyPair& pair) {
  return scale_of_pair(bodies, pair.a, pair.b);
}

}  // namespace pliant
