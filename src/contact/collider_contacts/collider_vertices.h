#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "body/body.h"
#include "contact/colliders/collider.h"
#include "contact/colliders/collider_sweep.h"
#include "contact/data/found_contacts.h"
#include "contact/motion/motion_budget.h"
#include "contact/narrow/reach.h"
#include "contact/surface/contact_frame.h"

namespace pliant {

/// Finds contacts between skin vertices and colliders: one per vertex and collider, and in hollow
/// corners of meshes up to two more. A ContactFinder.
class ColliderVertices {
 public:
  void start_step(const ContactFrame& frame);
  void follow(const ContactFrame& frame);
  bool is_clear(int body) const;
  void refresh(const ContactFrame& frame);
  void find(const ContactFrame& frame, ContactList& contacts);

  /// What the memory needs of a solved contact: see ContactMemory::lift.
  Vec3 lift(const Contact& contact, double side_margin) const;

  int candidates() const;

 private:
  struct VertexCollider {
    int vertex = 0;
    int collider = 0;
    float distance = 0;  // [m] it was not nearer when it was listed
    // [m] Nor comes it nearer than this, less the paths of both since; 0 = look.
    double clearance = 0;
  };
  struct BodyColliderList {             // of one body
    std::vector<VertexCollider> pairs;  // by collider, then vertex
    std::vector<Vec3> listed_at;        // skin when they were listed
    MotionBudget budget;                // allows as far as vertices were listed
    double path = 0;                    // [m] all displacements since, there and back,
    std::vector<double> collider_path;  // [m] and the colliders', each as seen from the body
    Vec3 centre = Vec3::Zero();         // [m] of the box round the skin when it was listed,
    double extent = 0;                  // [m] and how far vertices were from there at most
    std::vector<float> distance;        // a workspace, per vertex
    // In this substep.
    double travel = 0;  // [m] no vertex moved further
    bool clear = false;
    bool outdated = false;     // must be listed anew
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
    double displacement_to(const PlacedCollider& other, const Vec3& centre, double radius) const;
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

  void list(const ContactFrame& frame, int body, double allowed);
  static double least_distance(const Collider& collider, const ColliderPath& path, const Vec3& p);
  void follow_colliders(std::span<const Collider> colliders, double time);
  static double reach_of(const Body& body, const ContactSettings& settings, double travel) {
    return contact_reach(settings.reach * body.contact_scale, body.thickness, travel);
  }
  /// [m] Gaps that the solve may close, of a vertex that went so far.
  static double soon(const Body& body, double travel) {
    return contact_reach(0, body.thickness, travel);
  }
  static bool is_outdated(const ContactFrame& frame, BodyColliderList& near, const Body& body);
  void count_pairs(const ContactFrame& frame);
  /// Returns how far the vertex is from the collider [m], or less.
  double examine(const ContactFrame& frame, const ContactKey& key, Lifts& lifts,
                 std::vector<Contact>& found) const;
  Contact& add(const ContactFrame& frame, const ContactKey& key, const ColliderHit& hit,
               std::vector<Contact>& found) const;

  std::vector<BodyColliderList> lists_;  // per body
  double step_end_ = 0;                  // [s]
  bool any_ = false;                     // colliders

  // Per collider.
  std::vector<ColliderPath> paths_;
  std::vector<PlacedCollider> before_, after_;  // at the start and the end of the substep

  FoundContacts found_;  // a workspace
};
static_assert(ContactFinder<ColliderVertices>);

}  // namespace pliant
