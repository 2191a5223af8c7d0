#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "body/body.h"
#include "contact/collider_contacts/corner_walls.h"
#include "contact/colliders/collider.h"
#include "contact/colliders/collider_sweep.h"
#include "contact/data/contact_memory.h"
#include "contact/data/contact_settings.h"
#include "contact/data/found_contacts.h"
#include "contact/narrow/reach.h"

namespace pliant {

/// Finds contacts between skin vertices and colliders: one per vertex and collider, and in hollow
/// corners of meshes up to two more.
class ColliderVertices {
 public:
  /// Lists the vertices that can come within reach of a collider between `time` and `time + dt`.
  /// Reads skin.position.
  void find_candidates(std::span<const Body> bodies, std::span<const Collider> colliders,
                       const ContactSettings& settings, double time, double dt);

  /// True when the body, no vertex of which went further than `travel` [m] in this substep, nor
  /// than `went` since it was last looked at, still cannot touch a collider; then `find` passes
  /// over it, and its skin need not be up to date.
  bool is_clear(int index, const Body& body, std::span<const Collider> colliders,
                const ContactSettings& settings, double travel, double went);

  /// Appends contacts in key order, without impulses. Reads skin.previous and skin.position, and
  /// per body how far its vertices went from the one to the other at most [m]. Bodies that
  /// moved further than was foreseen get new candidates first, so that the result does not depend
  /// on when they were listed.
  void find(std::span<const Body> bodies, std::span<const double> travel,
            std::span<const Collider> colliders, const ContactSettings& settings,
            const ContactMemory& memory, const Substep& substep, ContactList& contacts);

  /// What the memory needs of a solved contact: see ContactMemory::lift.
  Vec3 lift(const Contact& contact, double side_margin) const;

  /// Vertex-collider pairs looked at in each substep.
  int candidates() const;

 private:
  struct VertexCollider {
    int vertex = 0;
    int collider = 0;
    float distance = 0;  // [m] it was not nearer when it was listed
    double room = 0;     // [m] nor comes nearer than this, less both their ways since; 0 = look
  };
  struct BodyColliderList {             // of one body
    std::vector<VertexCollider> pairs;  // by collider, then vertex
    std::vector<Vec3> listed_at;        // skin when they were listed
    double radius = 0;                  // [m] nothing further away than this was listed
    double moved = 0;                   // [m] no vertex went further than this since
    int summed = 0;                     // substeps since that was measured
    double gone = 0;                    // [m] all that any went since, there and back,
    std::vector<double> passed;         // [m] and the colliders, each as seen from where these were
    Vec3 centre = Vec3::Zero();         // [m] of the box round them then,
    double extent = 0;                  // [m] and how far they were from there at most
    std::vector<float> distance;        // a workspace, per vertex
    // In this substep.
    bool clear = false;
    bool outrun = false;       // must be listed anew
    int start = 0;             // of its pairs among those of all bodies
    std::vector<double> soon;  // [m] per collider: gaps that the solve may close, at most
  };
  struct PlacedCollider {  // a collider at one time
    Pose pose;
    bool turned = false;  // most are not, which spares the turning of many points

    PlacedCollider() = default;
    explicit PlacedCollider(const Pose& at) : pose(at), turned(!at.rotation.vec().isZero(0)) {}
    Vec3 into(const Vec3& p) const {
      return turned ? pose.apply_inverse(p) : Vec3(p - pose.position);
    }
    Vec3 out_of(const Vec3& p) const { return turned ? pose.apply(p) : Vec3(p + pose.position); }
    /// [m] How far it goes to another place, as seen from anywhere in a ball, at most.
    double way_to(const PlacedCollider& other, const Vec3& centre, double radius) const;
  };
  struct Lifts {  // what the memory knows of keys that are asked for in order
    const ContactMemory& memory;
    int known = -1;

    /// Null where it has none.
    const Vec3* of(const ContactKey& key);
  };
  struct ColliderPath {       // where a collider is during the rest of the step
    std::vector<Pose> poses;  // one if it stands still
    Vec3 local(const Vec3& p, int k) const { return poses[k].apply_inverse(p); }
  };

  void list(int body, const Body& of, std::span<const Collider> colliders,
            const ContactSettings& settings, double foreseen);
  static double least_distance(const Collider& collider, const ColliderPath& path, const Vec3& p);
  void follow(std::span<const Collider> colliders, double time);
  static double reach_of(const Body& body, const ContactSettings& settings, double travel) {
    return contact_reach(settings.reach * body.size, body.thickness, travel);
  }
  /// [m] Gaps that the solve may close, of a vertex that went so far.
  static double soon(const Body& body, double travel) {
    return contact_reach(0, body.thickness, travel);
  }
  static bool is_outrun(BodyColliderList& near, const Body& body, const ContactSettings& settings,
                        double travel);
  void foresee(std::span<const Body> bodies, std::span<const double> travel,
               std::span<const Collider> colliders, const ContactSettings& settings,
               const Substep& substep);
  /// Returns how far the vertex is from the collider [m], or less.
  double examine(const Body& body, const ContactKey& key, const Collider& collider, Lifts& lifts,
                 const ContactSettings& settings, double h, std::vector<Contact>& found) const;
  Contact& add(const Body& body, const ContactKey& key, const ColliderHit& hit,
               const Collider& collider, const ContactSettings& settings,
               std::vector<Contact>& found) const;

  std::vector<BodyColliderList> lists_;  // per body
  double step_end_ = 0;                  // [s]
  double step_ = 0;                      // [s]

  // Per collider.
  std::vector<ColliderPath> paths_;
  std::vector<PlacedCollider> before_, after_;  // at the start and the end of the substep

  FoundContacts found_;  // a workspace
};

}  // namespace pliant
