#include "contact/collider_contacts/collider_features.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "core/assert.h"
#include "core/parallel.h"
#include "geometry/mesh/primitives.h"

namespace pliant {
namespace {

constexpr double sight = 0.02;  // scales that lists look ahead

std::shared_ptr<const TriangleMesh> surface_of(const ColliderShape& shape) {
  if (const auto* mesh = std::get_if<MeshShape>(&shape)) return mesh->mesh;
  if (const auto* box = std::get_if<BoxShape>(&shape))
    return std::make_shared<const TriangleMesh>(box_mesh(2 * box->half, 2 * box->half.maxCoeff()));
  return nullptr;
}

/// Round these points, seen from a collider that takes these poses one after the other. Once its
/// way for what lies between them, twice for the reach, which grows with the relative speed.
Box seen_from(std::span<const Pose> poses, std::span<const Vec3> points) {
  Box box;
  double way = 0;
  for (std::size_t k = 0; k < poses.size(); ++k) {
    double furthest = 0;
    for (const Vec3& p : points) {
      const Vec3 here = poses[k].apply_inverse(p);
      box.add(here);
      if (k > 0) furthest = std::max(furthest, (here - poses[k - 1].apply_inverse(p)).norm());
    }
    way += furthest;
  }
  box.grow(3 * way);
  return box;
}

bool is_near(std::span<const Pose> poses, const Box& box, double radius, const Box& sharp) {
  std::array<Vec3, 8> corners;
  for (int k = 0; k < 8; ++k)
    corners[k] = {k & 1 ? box.low.x() : box.high.x(), k & 2 ? box.low.y() : box.high.y(),
                  k & 4 ? box.low.z() : box.high.z()};
  Box seen = seen_from(poses, corners);
  seen.grow(radius);
  return seen.overlaps(sharp);
}

}  // namespace

/// Finds what is sharp about each collider; only where colliders changed.
void ColliderFeatures::prepare(std::span<const Collider> colliders) {
  sharp_.resize(colliders.size());
  for (std::size_t c = 0; c < colliders.size(); ++c) {
    SharpFeatures& sharp = sharp_[c];
    const auto* mesh = std::get_if<MeshShape>(&colliders[c].shape);
    const auto* box = std::get_if<BoxShape>(&colliders[c].shape);
    const bool same = sharp.of && (mesh ? sharp.of == mesh->mesh
                                        : box && bounds(sharp.of->points).high == box->half);
    if (same) continue;
    sharp = {};
    if (!mesh && !box) continue;
    sharp.of = surface_of(colliders[c].shape);
    Skin& skin = sharp.skin;
    skin.triangles = sharp.of->triangles;
    skin.rest = skin.position = skin.previous = sharp.of->points;
    sharp.topology.build(skin);
    sharp.parts.points = sharp.of->points;
    std::vector<char> is_corner(skin.rest.size(), 0);
    for (int e = 0; e < int(sharp.topology.edges.size()); ++e) {
      if (crease_at(skin, sharp.topology.edges[e]) != Crease::ridge) continue;
      const auto [i, j] = sharp.topology.edges[e].vertex;
      is_corner[i] = is_corner[j] = 1;
      sharp.parts.triangles.push_back({i, j, j});
      sharp.vertex.push_back(-1);
      sharp.ridge.push_back(e);
    }
    for (int v = 0; v < int(is_corner.size()); ++v) {
      if (!is_corner[v]) continue;
      sharp.parts.triangles.push_back({v, v, v});
      sharp.vertex.push_back(v);
      sharp.ridge.push_back(-1);
      sharp.box.add(skin.rest[v]);
    }
    if (!sharp.parts.triangles.empty()) sharp.bvh = std::make_unique<Bvh>(sharp.parts);
  }
}

void ColliderFeatures::follow_colliders(std::span<const Collider> colliders, double time) {
  for (std::size_t c = 0; c < colliders.size(); ++c)
    colliders[c].follow(time, step_end_, sharp_[c].poses);
}

void ColliderFeatures::start_step(const ContactFrame& frame) {
  step_end_ = frame.substep.time + frame.step;
  prepare(frame.colliders);
  lists_.resize(frame.bodies.size());
  if (std::none_of(sharp_.begin(), sharp_.end(), [](const SharpFeatures& s) { return !!s.bvh; })) {
    for (BodyFeatureList& near : lists_) near.count = 0, near.budget.start(HUGE_VAL);
    return;
  }
  follow_colliders(frame.colliders, frame.substep.time);
  for (SharpFeatures& sharp : sharp_) sharp.is_placed = false;  // it may have been moved since
  parallel_for(int(frame.bodies.size()), 1, [&](int b, int) {
    lists_[b].travel = 0;
    list(frame, b);
  });
}

void ColliderFeatures::follow(const ContactFrame& frame) {
  const std::size_t count = std::min(lists_.size(), frame.bodies.size());
  ASSERT(frame.motion.size() >= count, "motion is known of all bodies");
  for (std::size_t b = 0; b < count; ++b) {
    BodyFeatureList& near = lists_[b];
    near.travel = frame.travel(int(b));
    near.budget.add(frame.motion[b].since_detection.max);
    near.clear = near.count == 0 && near.budget.holds(2 * near.travel);
  }
}

void ColliderFeatures::list(const ContactFrame& frame, int index) {
  const Body& body = frame.bodies[index];
  BodyFeatureList& near = lists_[index];
  near.budget.start(
      std::max(predicted_displacement(top_speed(body.nodes), frame.step), 4 * near.travel) +
      sight * body.contact_scale);
  near.count = 0;
  const double radius =
      2 * body.thickness + frame.settings.reach * body.contact_scale + near.budget.allowed();
  const Box box = bounds(body.skin.position);
  for (std::size_t c = 0; c < sharp_.size(); ++c) {
    if (passes_through(frame.colliders[c], body)) continue;
    if (!sharp_[c].bvh || !is_near(sharp_[c].poses, box, radius, sharp_[c].box)) continue;
    if (near.count == int(near.lists.size())) near.lists.emplace_back();
    FeatureList& list = near.lists[near.count];
    list.collider = int(c);
    list.path = 0;
    list_parts(sharp_[c], body.skin, frame.surfaces.topology(index), radius, near, list);
    if (list.corners.count() > 0 || !list.edges.empty()) ++near.count;
  }
}

void ColliderFeatures::list_parts(const SharpFeatures& sharp, const Skin& skin,
                                  const SkinTopology& topology, double radius,
                                  BodyFeatureList& near, FeatureList& list) {
  std::vector<Box>& seen = near.seen;  // per vertex
  seen.resize(skin.position.size());
  for (std::size_t v = 0; v < seen.size(); ++v)
    seen[v] = seen_from(sharp.poses, {&skin.position[v], 1});
  const std::vector<Vec3>& points = sharp.parts.points;
  const auto between = [&](const Triangle& ridge, const SkinTopology::Edge& edge) {
    const auto [i, j] = edge.vertex;
    if (sharp.poses.size() == 1)  // boxes are points
      return closest_between_segments(points[ridge[0]], points[ridge[1]], seen[i].low, seen[j].low)
          .distance;
    Box ours, theirs = seen[i];
    for (const int v : ridge) ours.add(points[v]);
    theirs.add(seen[j]);
    return std::sqrt(squared_distance(ours, theirs));
  };
  list.found.clear();
  list.edges.clear();
  for (int t = 0; t < int(skin.triangles.size()); ++t) {
    Box box;
    for (const int v : skin.triangles[t]) box.add(seen[v]);
    Box within = box;
    within.grow(radius);
    if (!within.overlaps(sharp.box)) continue;
    near.parts.clear();
    sharp.bvh->triangles_in(within, near.parts);
    for (const int part : near.parts) {
      const Triangle& corners = sharp.parts.triangles[part];
      if (sharp.vertex[part] >= 0) {
        const double distance = std::sqrt(box.squared_distance(points[corners[0]]));
        if (distance <= radius)
          list.found.push_back({sharp.vertex[part], t, rounded_down(distance)});
        continue;
      }
      for (const int e : topology.edge_of_side[t]) {
        if (topology.edges[e].face[0] != t) continue;  // once, not from both its triangles
        const double distance = between(corners, topology.edges[e]);
        if (distance <= radius)
          list.edges.push_back({sharp.ridge[part], e, rounded_down(distance), 0});
      }
    }
  }
  list.corners.take(list.found);
  std::sort(list.edges.begin(), list.edges.end(), [](const RidgePair& p, const RidgePair& q) {
    return std::tie(p.distance, p.collider, p.body) < std::tie(q.distance, q.collider, q.body);
  });
}

void ColliderFeatures::look(const ContactFrame& frame, int index) {
  const Body& body = frame.bodies[index];
  BodyFeatureList& near = lists_[index];
  const double reach = frame.settings.reach * body.contact_scale, moved = near.budget.used();
  for (int l = 0; l < near.count; ++l) {
    FeatureList& list = near.lists[l];
    const SharpFeatures& sharp = sharp_[list.collider];
    const SkinPair pair{
        .a = sharp.skin,
        .b = body.skin,
        .topology_a = sharp.topology,
        .topology_b = frame.surfaces.topology(index),
        .memory = frame.memory,
        .index_a = -1,
        .index_b = index,
        .friction = std::sqrt(body.friction * frame.colliders[list.collider].friction),
        .scale = body.contact_scale,
        .thickness = body.thickness,
        .near = std::min(reach, body.thickness),
        .depth = reach,
        .travel = near.travel + sharp.travel,
        .moved = moved,
        .exit = frame.settings.exit_speed * body.contact_scale * frame.substep.h,
        .tolerance = frame.settings.tolerance * body.contact_scale};
    const std::size_t first = near.found.size();
    // Features that were far apart are skipped until the two have moved that far.
    list.path += sharp.travel;
    const double path = moved + list.path, furthest = pair.furthest();
    pair.touch_listed(list.corners, 0, list.corners.count(), path, near.near_by, near.found);
    for (auto& [ours, theirs, distance, clearance] : list.edges) {
      if (distance - moved > furthest) break;
      if (clearance <= path + furthest) clearance = path + pair.cross(ours, theirs, near.found);
    }
    // The collider's side becomes a prescribed point.
    for (std::size_t i = first; i < near.found.size(); ++i) {
      Contact& c = near.found[i];
      const bool edges = c.key.kind == ContactKey::edge_edge;
      c.key = {edges ? ContactKey::edge_collider : ContactKey::corner_collider, index,
               list.collider, c.key.feature_a, c.key.feature_b};
      c.point = c.a.point(sharp.skin.position);
      c.motion = c.point - c.a.point(sharp.skin.previous);
      c.normal = -c.normal;
      c.a = c.b;
      c.b = {};
    }
  }
}

/// Where a collider's sharp features are at the start and the end of the substep.
void ColliderFeatures::place(const ContactFrame& frame, int collider) {
  SharpFeatures& sharp = sharp_[collider];
  if (!sharp.bvh) return;
  const Collider& of = frame.colliders[collider];
  const auto place_at = [&](double time, std::vector<Vec3>& points) {
    const Pose pose = of.at(time);
    for (std::size_t v = 0; v < points.size(); ++v) points[v] = pose.apply(sharp.skin.rest[v]);
  };
  const bool moves = of.motion.moves();
  if (!moves && sharp.is_placed) return;
  sharp.is_placed = !moves;
  place_at(frame.substep.time, sharp.skin.previous);
  if (moves) place_at(frame.substep.time + frame.substep.h, sharp.skin.position);
  else sharp.skin.position = sharp.skin.previous;
  sharp.travel = displacement_of(sharp.skin.position, sharp.skin.previous).max;
}

void ColliderFeatures::refresh(const ContactFrame& frame) {
  if (lists_.size() != frame.bodies.size() || sharp_.size() != frame.colliders.size()) return;
  if (std::all_of(lists_.begin(), lists_.end(), [](const auto& near) { return near.clear; }))
    return;
  for (std::size_t c = 0; c < sharp_.size(); ++c) place(frame, int(c));
  if (std::none_of(lists_.begin(), lists_.end(), [](const auto& l) { return l.is_outdated(); }))
    return;
  step_end_ = std::max(step_end_, frame.substep.time + frame.substep.h);
  follow_colliders(frame.colliders, frame.substep.time);
  parallel_for(int(lists_.size()), 1, [&](int b, int) {
    if (lists_[b].is_outdated() && std::isfinite(lists_[b].travel)) list(frame, b);
  });
}

void ColliderFeatures::find(const ContactFrame& frame, ContactList& contacts) {
  if (lists_.size() != frame.bodies.size() || sharp_.size() != frame.colliders.size()) return;
  parallel_for(int(lists_.size()), 1, [&](int b, int) {
    BodyFeatureList& near = lists_[b];
    near.found.clear();
    if (!near.clear && std::isfinite(near.travel)) look(frame, b);
  });
  const std::size_t before = contacts.size();
  for (BodyFeatureList& near : lists_) contacts.add(near.found);
  contacts.sort(before);
}

int ColliderFeatures::candidates() const {
  std::size_t sum = 0;
  for (const BodyFeatureList& near : lists_)
    for (int l = 0; l < near.count; ++l)
      sum += near.lists[l].corners.candidate.size() + near.lists[l].edges.size();
  return int(sum);
}

}  // namespace pliant
