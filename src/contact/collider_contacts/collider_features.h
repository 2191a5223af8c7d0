#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "body/skin.h"
#include "contact/colliders/collider.h"
#include "contact/motion/motion_budget.h"
#include "contact/narrow/skin_pair.h"
#include "contact/surface/contact_frame.h"

namespace pliant {

/// Finds contacts of sharp features of colliders: corners of meshes and boxes with triangles of
/// skins, and their ridges with ridges of skins. Vertices of skins (collider_vertices.h) do not see
/// a spike that comes in between them. A ContactFinder.
class ColliderFeatures {
 public:
  void start_step(const ContactFrame& frame);
  void follow(const ContactFrame& frame);
  bool is_clear(int body) const { return body >= int(lists_.size()) || lists_[body].clear; }
  void refresh(const ContactFrame& frame);
  void find(const ContactFrame& frame, ContactList& contacts);
  int candidates() const;

 private:
  struct SharpFeatures {  // of a collider
    std::shared_ptr<const TriangleMesh> of;
    Skin skin;  // its surface, in the world
    SkinTopology topology;
    TriangleMesh parts;              // corners (v, v, v) and ridges (i, j, j), local
    std::vector<int> vertex, ridge;  // part -> its vertex or edge, or -1
    std::unique_ptr<Bvh> bvh;        // over the parts
    Box box;                         // round them
    std::vector<Pose> poses;         // where it is during the rest of the step; one if at rest
    double travel = 0;               // [m] in this substep
    bool is_placed = false;          // stands still, and its skin is where it stands
  };
  struct RidgePair {
    int collider, body;
    float distance;        // [m] not nearer when listed, while the body stands still
    double clearance = 0;  // [m] nor comes nearer than this, less the paths of both since
  };
  struct FeatureList {  // of a body and a collider
    int collider = 0;
    double path = 0;               // [m] all displacements of the collider since it was made
    CandidateList corners;         // vertices of the collider, triangles of the body
    std::vector<RidgePair> edges;  // ridges of the collider, edges of the body; nearest first
    std::vector<CandidateList::Found> found;  // workspace
  };
  struct BodyFeatureList {  // of a body
    std::vector<FeatureList> lists;
    int count = 0;  // of lists in use; the others keep their capacity
    MotionBudget budget;
    double travel = 0;  // [m] no vertex went further in this substep
    bool clear = true;
    bool is_outdated() const { return !clear && !budget.holds(2 * travel); }

    // Workspaces.
    std::vector<int> parts;
    std::vector<Box> seen;  // per vertex
    SkinPair::VertexNeighbours near_by;
    std::vector<Contact> found;
  };

  void prepare(std::span<const Collider> colliders);
  void follow_colliders(std::span<const Collider> colliders, double time);
  void place(const ContactFrame& frame, int collider);
  void list(const ContactFrame& frame, int body);
  static void list_parts(const SharpFeatures& sharp, const Skin& skin, const SkinTopology& topology,
                         double radius, BodyFeatureList& near, FeatureList& list);
  void look(const ContactFrame& frame, int body);

  std::vector<SharpFeatures> sharp_;    // per collider; without parts where nothing is sharp
  std::vector<BodyFeatureList> lists_;  // per body
  double step_end_ = 0;                 // [s]
};
static_assert(ContactFinder<ColliderFeatures>);

}  // namespace pliant
