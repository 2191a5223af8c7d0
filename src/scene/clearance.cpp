#include "scene/clearance.h"

#include <fmt/format.h>

#include "contact/colliders/collider_distance.h"
#include "geometry/mesh/topology.h"
#include "geometry/query/pseudonormal.h"
#include "scene/overlaps.h"

namespace pliant {
namespace {

constexpr int most_moves = 6;        // a corner of three walls takes three
constexpr double least_move = 1e-3;  // of the distance that is kept: less does nothing
constexpr double deepest = 0.01;     // of the size: more is an overlap, see overlaps.h

/// How far a body should move, and away from what.
struct Lack {
  double length = 0;  // [m]
  Vec3 way = Vec3::Zero();
  std::string from;
};

/// What is missing at points of a body towards one other thing. The way is the mean of theirs: at
/// corners of boxes that lie on each other, sides count as much as tops.
class Points {
 public:
  void add(double lack, const Vec3& way) {
    if (!(lack > 0)) return;
    longest_ = std::max(longest_, lack);
    sum_ += lack * way;
  }
  void into(Lack& worst, const std::string& from) const {
    if (longest_ > worst.length && sum_.norm() > 0) worst = {longest_, sum_.normalized(), from};
  }

 private:
  double longest_ = 0;
  Vec3 sum_ = Vec3::Zero();
};

void look_at(const Collider& collider, const Body& body, const Vec3& shift, Lack& worst) {
  const Pose pose = collider.at(0);
  Points points;
  for (const Vec3& p : body.skin.position) {
    const auto hit =
        collider_distance(collider, pose, p + shift, body.thickness + deepest * body.contact_scale);
    if (hit && hit->gap > -deepest * body.contact_scale)
      points.add(body.thickness - hit->gap, hit->normal);
  }
  points.into(worst, collider.name);
}

/// A body's surface, to be asked how far points are outside of it.
struct Asked {
  explicit Asked(const Body& body)
      : surface{body.skin.position, body.skin.triangles, {}},
        bvh(surface),
        normals(surface),
        closed(is_closed(surface)) {}

  /// Negative inside; `way` leads out. More than `reach`: farther than that.
  double gap(const Vec3& p, double reach, Vec3& way) const {
    const SurfacePoint near = bvh.closest_point(surface, p, reach);
    if (near.triangle < 0) return 2 * reach;
    const Vec3 normal = normals.at(surface, near);
    const bool is_inside = closed && normal.dot(p - near.point) < 0;
    way = near.distance > 1e-6 * reach && !is_inside ? (p - near.point) / near.distance : normal;
    return is_inside ? -near.distance : near.distance;
  }

  TriangleMesh surface;
  Bvh bvh;
  Pseudonormals normals;
  bool closed;
};

void look_at(const Body& other, const Body& body, const Vec3& shift, Lack& worst) {
  const double kept = body.thickness + other.thickness;
  Box near = bounds(other.skin.position), own = bounds(body.skin.position);
  near.grow(kept);
  own.low += shift, own.high += shift;
  if (!near.overlaps(own)) return;
  const double size = std::min(body.contact_scale, other.contact_scale);
  Points points;
  const auto ask = [&](const Asked& asked, const std::vector<Vec3>& asking, const Vec3& moved,
                       double sign) {
    Vec3 way = Vec3::Zero();
    for (const Vec3& p : asking) {
      const double gap = asked.gap(p + moved, kept + deepest * size, way);
      if (gap > -deepest * size) points.add(kept - gap, sign * way);
    }
  };
  ask(Asked(other), body.skin.position, shift, 1);
  ask(Asked(body), other.skin.position, -shift, -1);
  points.into(worst, other.name);
}

}  // namespace

void keep_clearance(BuiltScene& built, BuildLog& log,
                    const std::function<void(int, const Vec3&)>& shift_body) {
  const World& world = built.world;
  if (world.statics) return;
  for (int b = 0; b < int(world.bodies.size()); ++b) {
    if (is_held(built.resolved, b) || built.resolved.bodies[b].start) continue;
    const Body& body = world.bodies[b];
    Vec3 shift = Vec3::Zero();
    std::string from;
    for (int move = 0; move <= most_moves; ++move) {
      Lack worst;
      for (const Collider& collider : world.colliders) look_at(collider, body, shift, worst);
      if (world.contact.settings.touch != Touches::colliders)
        for (int other = 0; other < b; ++other) look_at(world.bodies[other], body, shift, worst);
      if (worst.length <= least_move * body.thickness) break;
      if (from.empty()) from = worst.from;
      if (move == most_moves) shift.setZero();  // wedged in: contact must do
      else shift += worst.length * worst.way;
    }
    if (shift.isZero()) continue;
    log.notes.push_back(fmt::format(
        "{}: moved by [{:.3g}, {:.3g}, {:.3g}] m, to the small distance that contact keeps from {}",
        body.name, shift[0], shift[1], shift[2], from));
    shift_body(b, shift);
  }
}

}  // namespace pliant
