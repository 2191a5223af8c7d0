#include "scene/overlaps.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <memory>

#include "contact/colliders/collider_distance.h"
#include "geometry/query/bvh.h"
#include "geometry/query/winding_number.h"

namespace pliant {
namespace {

constexpr double harmless = 0.01;     // of the smaller size
constexpr double knotted = 0.025;     // of the size: deeper, contact cannot tell which way is out
constexpr double inset = 0.02;        // of the size: how far inside of a skin probes lie
constexpr int across = 6;             // probes in the midst of a body, along each side of its box
constexpr double least_step = 0.005;  // extents
constexpr double furthest = 3;        // extents of both

/// A body's surface where it starts, to be asked from outside.
struct Placed {
  explicit Placed(const Body& body)
      : extent(body.extent), size(body.contact_scale), thickness(body.thickness) {
    surface.points = body.skin.position;
    surface.triangles = body.skin.triangles;
    box = bounds(surface.points);
  }

  /// Call before depth(); most bodies are never asked.
  void prepare() {
    if (bvh) return;
    bvh = std::make_unique<Bvh>(surface);
    winding = std::make_unique<WindingNumber>(surface);
    for (const Vec3& p : surface.points) probes.push_back({p, 0});
    // Some a little inside of it and some in the midst: twins in one place share their skins.
    for (const Triangle& t : surface.triangles) {
      const Vec3 &p = surface.points[t[0]], &q = surface.points[t[1]], &r = surface.points[t[2]];
      const Vec3 area = (q - p).cross(r - p);
      if (area.norm() > 0) add_inner((p + q + r) / 3 - inset * size / area.norm() * area);
    }
    const Vec3 step = (box.high - box.low) / across;
    for (int x = 0; x < across; ++x)
      for (int y = 0; y < across; ++y)
        for (int z = 0; z < across; ++z)
          add_inner(box.low + step.cwiseProduct(Vec3(x + 0.5, y + 0.5, z + 0.5)));
  }

  void add_inner(const Vec3& p) {
    const double own = depth(p);
    if (own > 0) probes.push_back({p, own});  // thin parts have no inside there
  }

  /// [m] how deep a point lies in it.
  double depth(const Vec3& p) const {
    if (!box.contains(p) || !winding->inside(p)) return 0;
    return bvh->closest_point(surface, p).distance;
  }

  double extent, size, thickness;
  TriangleMesh surface;
  Box box;
  std::unique_ptr<Bvh> bvh;
  std::unique_ptr<WindingNumber> winding;
  struct Probe {
    Vec3 at;
    double own;  // [m] how deep it lies in its own body
  };
  std::vector<Probe> probes;
};

/// [m] of a, moved by a shift, with b: no shorter way takes them apart. Around a point that lies in
/// both there is a ball of either, which must leave the other one.
double depth_between(Placed& a, const Vec3& shift, Placed& b) {
  Box moved = a.box;
  moved.low += shift, moved.high += shift;
  if (!moved.overlaps(b.box)) return 0;
  a.prepare();
  b.prepare();
  double deepest = 0;
  const auto ask = [&](const Placed& one, const Placed& other, const Vec3& way) {
    for (const Placed::Probe& probe : one.probes)
      if (const double depth = other.depth(probe.at + way); depth > 0)
        deepest = std::max(deepest, probe.own + depth);
  };
  ask(a, b, shift);
  ask(b, a, -shift);
  return deepest;
}

double depth_in(const Placed& a, const Vec3& shift, const Collider& collider) {
  const Pose pose = collider.at(0);
  double deepest = 0;
  for (const Vec3& p : a.surface.points)
    if (const auto hit = collider_distance(collider, pose, p + shift, a.extent))
      deepest = std::max(deepest, -hit->gap);
  return deepest;
}

struct Overlap {
  std::string with;
  double depth = 0;  // [m]
};

class Overlaps {
 public:
  explicit Overlaps(const BuiltScene& built) : built_(built) {
    for (const Body& body : built.world.bodies) placed_.emplace_back(body);
  }

  /// The deepest of a body with those before it in the scene, or with a collider.
  Overlap deepest(int body, const Vec3& shift = Vec3::Zero()) {
    Overlap worst;
    const auto take = [&](double depth, double size, const std::string& with) {
      if (depth > harmless * size && depth > worst.depth) worst = {with, depth};
    };
    Placed& a = placed_[body];
    if (built_.world.contact.settings.touch != Touches::colliders)
      for (int other = 0; other < body; ++other)
        if (!tied(body, other))
          take(depth_between(a, shift, placed_[other]), std::min(a.size, placed_[other].size),
               built_.world.bodies[other].name);
    for (const Collider& collider : built_.world.colliders)
      take(depth_in(a, shift, collider), a.size, collider.name);
    return worst;
  }

  /// The shortest way out, among straight ones along the axes and away from the others.
  Vec3 way_out(int body) {
    std::vector<Vec3> directions;
    for (int axis = 0; axis < 3; ++axis)
      for (const double sign : {1.0, -1.0}) directions.push_back(sign * Vec3::Unit(axis));
    const Placed& a = placed_[body];
    double limit = furthest * a.extent;
    for (int other = 0; other < body; ++other) {
      limit = std::max(limit, furthest * (a.extent + placed_[other].extent));
      const Vec3 away = a.box.centre() - placed_[other].box.centre();
      if (a.box.overlaps(placed_[other].box) && away.norm() > 1e-3 * a.extent)
        directions.push_back(away.normalized());
    }
    Vec3 best = Vec3::Zero();
    for (const Vec3& direction : directions) {
      double length = 0;
      while (length < limit) {
        const Overlap left = deepest(body, length * direction);
        if (left.depth == 0) break;
        length += std::max(left.depth, least_step * a.extent);
      }
      length += 2 * a.thickness;
      if (length >= limit) continue;
      limit = length;
      best = length * direction;
    }
    return best;
  }

  void moved(int body) { placed_[body] = Placed(built_.world.bodies[body]); }

 private:
  bool tied(int a, int b) const {
    const std::string &first = built_.world.bodies[a].name, &second = built_.world.bodies[b].name;
    return std::any_of(built_.resolved.attachments.begin(), built_.resolved.attachments.end(),
                       [&](const AttachmentDescription& tie) {
                         return (tie.body == first && tie.to == second) ||
                                (tie.body == second && tie.to == first);
                       });
  }

  const BuiltScene& built_;
  std::vector<Placed> placed_;
};

}  // namespace

bool is_held(const SceneDescription& scene, int index) {
  const BodyDescription& body = scene.bodies[index];
  bool tied = false;
  for (const AttachmentDescription& tie : scene.attachments)
    tied = tied || tie.body == *body.name || tie.to == *body.name;
  return tied || !body.pins.empty() || !body.handles.empty();
}

void settle_overlaps(BuiltScene& built, BuildLog& log,
                     const std::function<void(int, const Vec3&)>& shift_body) {
  if (built.world.statics) return;  // nothing touches there
  Overlaps overlaps(built);
  for (int b = 0; b < int(built.world.bodies.size()); ++b) {
    const Overlap found = overlaps.deepest(b);
    if (found.depth == 0) continue;
    const std::string& name = built.world.bodies[b].name;
    const std::string where = fmt::format("/bodies/{}", b);
    const std::string what = fmt::format("starts {:.3g} m deep inside {}", found.depth, found.with);
    if (built.resolved.overlap == SceneDescription::push) {
      const bool deep = found.depth > knotted * built.world.bodies[b].contact_scale;
      log.warnings.push_back(
          name + " " + what +
          (deep ? "; so deep, bodies that are pushed often stay interlocked: \"separate\" moves "
                  "them apart before the start"
                : "; it will be pushed out, perhaps hard"));
    } else if (built.resolved.overlap == SceneDescription::refuse) {
      log.problem(where, what,
                  "\"overlap\": \"separate\" moves bodies apart before the start; \"push\" leaves "
                  "it to contact");
    } else if (is_held(built.resolved, b)) {
      log.problem(where, what + ", and being held or tied it cannot be moved apart");
    } else if (const Vec3 way = overlaps.way_out(b); way.norm() > 0) {
      shift_body(b, way);
      overlaps.moved(b);
      log.notes.push_back(fmt::format("{}: moved by [{:.3g}, {:.3g}, {:.3g}] m, out of {}", name,
                                      way[0], way[1], way[2], found.with));
    } else {
      log.problem(where, what + ", and no way out was found");
    }
  }
}

}  // namespace pliant
