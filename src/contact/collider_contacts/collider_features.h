#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "body/body.h"
#include "contact/colliders/collider.h"
#include "contact/data/contact_memory.h"
#include "contact/data/contact_settings.h"
#include "contact/motion/displacement.h"
#include "contact/narrow/skin_pair.h"

namespace pliant {

/// Finds contacts of what is sharp about a collider: corners of meshes and boxes with triangles of
/// skins, and their ridges with ridges of skins. Vertices of skins (collider_contacts.h) do not see
/// a spike that comes in between them.
class ColliderFeatures {
 public:
  /// Once per step, with skins and their shapes up to date.
  void find_candidates(std::span<const Body> bodies, std::span<const Collider> colliders,
                       std::span<const SkinTopology> shapes, const ContactSettings& settings,
                       double time, double dt);

  /// Once per substep: true when the body, no vertex of which went further than `travel` [m] in it,
  /// nor than `went` since it was last looked at, cannot touch anything sharp; else its skin must
  /// be up to date for `find`.
  bool is_clear(int body, double travel, double went);

  /// Appends contacts in key order, without impulses.
  void find(std::span<const Body> bodies, std::span<const Collider> colliders,
            std::span<const SkinTopology> shapes, const ContactSettings& settings,
            const ContactMemory& memory, const Substep& substep, ContactList& contacts);

  int candidates() const;

 private:
  struct SharpFeatures {  // of a collider
    std::shared_ptr<const TriangleMesh> of;
    Body surface;                    // has a skin and nothing else
    SkinTopology shape;              //
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
    float distance;  // [m] not nearer than this when they were listed, while the body stands still
    double room =
        0;  // [m] nor comes nearer than this, less both their ways since the list was made
  };
  struct FeatureList {  // of a body and a collider
    int collider = 0;
    double passed = 0;             // [m] all that the collider went since it was made
    CandidateList corners;         // vertices of the collider, triangles of the body
    std::vector<RidgePair> edges;  // ridges of the collider, edges of the body; nearest first
    std::vector<CandidateList::Found> found;  // workspace
  };
  struct BodyFeatureList {  // of a body
    std::vector<FeatureList> lists;
    int count = 0;        // of lists in use; the others keep their room
    double foreseen = 0;  // [m]
    double moved = 0;     // [m] no vertex went further since it was listed,
    double travel = 0;    // [m] nor in this substep
    bool clear = true;

    // Workspaces.
    std::vector<int> parts;
    std::vector<Box> seen;  // per vertex
    SkinPair::VertexNeighbours near_by;
    std::vector<Contact> found;
  };

  void prepare(std::span<const Collider> colliders);
  void follow(std::span<const Collider> colliders, double time);
  void list(int body, std::span<const Body> bodies, const SkinTopology& shape,
            const ContactSettings& settings, double dt);
  static void list_parts(const SharpFeatures& sharp, const Skin& skin, const SkinTopology& shape,
                         double radius, BodyFeatureList& near, FeatureList& list);
  void look(int index, const Body& body, const SkinTopology& shape,
            std::span<const Collider> colliders, const ContactSettings& settings,
            const ContactMemory& memory, double h);

  std::vector<SharpFeatures> sharp_;    // per collider; without parts where nothing is sharp
  std::vector<BodyFeatureList> lists_;  // per body
  double step_ = 0, step_end_ = 0;      // [s]
};

}  // namespace pliant
