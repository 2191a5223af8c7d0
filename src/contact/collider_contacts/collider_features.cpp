#include "contact/collider_contacts/collider_features.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "core/parallel.h"
#include "geometry/mesh/primitives.h"

namespace pliant {
namespace {

constexpr double sight = 0.02;  // sizes that lists look ahead

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
    if (same || (!mesh && !box)) continue;
    sharp = {};
    sharp.of = surface_of(colliders[c].shape);
    Skin& skin = sharp.surface.skin;
    skin.triangles = sharp.of->triangles;
    skin.rest = skin.position = skin.previous = sharp.of->points;
    sharp.shape.build(skin);
    sharp.parts.points = sharp.of->points;
    std::vector<char> is_corner(skin.rest.size(), 0);
    for (int e = 0; e < int(sharp.shape.edges.size()); ++e) {
      if (crease_at(skin, sharp.shape.edges[e]) != Crease::ridge) continue;
      const auto [i, j] = sharp.shape.edges[e].vertex;
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

void ColliderFeatures::follow(std::span<const Collider> colliders, double time) {
  for (std::size_t c = 0; c < colliders.size(); ++c)
    colliders[c].follow(time, step_end_, sharp_[c].poses);
}

void ColliderFeatures::find_candidates(std::span<const Body> bodies,
                                       std::span<const Collider> colliders,
                                       std::span<const SkinTopology> shapes,
                                       const ContactSettings& settings, double time, double dt) {
  step_ = dt;
  step_end_ = time + dt;
  prepare(colliders);
  lists_.resize(bodies.size());
  if (std::none_of(sharp_.begin(), sharp_.end(), [](const SharpFeatures& s) { return !!s.bvh; })) {
    for (BodyFeatureList& near : lists_) near.count = 0, near.foreseen = HUGE_VAL;
    return;
  }
  follow(colliders, time);
  for (SharpFeatures& sharp : sharp_) sharp.is_placed = false;  // somebody may have moved it since
  parallel_for(int(bodies.size()), 1, [&](int b, int) {
    lists_[b].travel = 0;
    list(b, bodies, shapes[b], settings, dt);
  });
}

void ColliderFeatures::list(int index, std::span<const Body> bodies, const SkinTopology& shape,
                            const ContactSettings& settings, double dt) {
  const Body& body = bodies[index];
  BodyFeatureList& near = lists_[index];
  near.foreseen = std::max(predicted_displacement(top_speed(body.nodes), dt), 4 * near.travel) +
                  sight * body.size;
  near.moved = 0;
  near.count = 0;
  const double radius = 2 * body.thickness + settings.reach * body.size + near.foreseen;
  const Box box = bounds(body.skin.position);
  for (std::size_t c = 0; c < sharp_.size(); ++c) {
    if (!sharp_[c].bvh || !is_near(sharp_[c].poses, box, radius, sharp_[c].box)) continue;
    if (near.count == int(near.lists.size())) near.lists.emplace_back();
    FeatureList& list = near.lists[near.count];
    list.collider = int(c);
    list.passed = 0;
    list_parts(sharp_[c], body.skin, shape, radius, near, list);
    if (list.corners.count() > 0 || !list.edges.empty()) ++near.count;
  }
}

void ColliderFeatures::list_parts(const SharpFeatures& sharp, const Skin& skin,
                                  const SkinTopology& shape, double radius, BodyFeatureList& near,
                                  FeatureList& list) {
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
      for (const int e : shape.edge_of_side[t]) {
        if (shape.edges[e].face[0] != t) continue;  // once, not from both its triangles
        const double distance = between(corners, shape.edges[e]);
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

bool ColliderFeatures::is_clear(int body, double travel, double went) {
  if (body >= int(lists_.size())) return true;  // nothing was listed yet: no step has begun
  BodyFeatureList& near = lists_[body];
  near.travel = travel;
  near.moved += went;
  near.clear = near.count == 0 && near.moved + 2 * travel <= near.foreseen;
  return near.clear;
}

void ColliderFeatures::look(int index, const Body& body, const SkinTopology& shape,
                            std::span<const Collider> colliders, const ContactSettings& settings,
                            const ContactMemory& memory, double h) {
  BodyFeatureList& near = lists_[index];
  const double reach = settings.reach * body.size;
  for (int l = 0; l < near.count; ++l) {
    FeatureList& list = near.lists[l];
    const SharpFeatures& sharp = sharp_[list.collider];
    const double travel = near.travel + sharp.travel;
    const SkinPair pair{.a = sharp.surface,
                        .b = body,
                        .topology_a = sharp.shape,
                        .topology_b = shape,
                        .memory = memory,
                        .index_a = -1,
                        .index_b = index,
                        .size = body.size,
                        .thickness = body.thickness,
                        .near = std::min(reach, body.thickness),
                        .depth = reach,
                        .travel = travel,
                        .moved = near.moved,
                        .exit = settings.exit_speed * body.size * h,
                        .tolerance = settings.tolerance * body.size};
    const std::size_t first = near.found.size();
    // Whoever was seen to be far away is passed over until the two have gone that far.
    list.passed += sharp.travel;
    const double gone = near.moved + list.passed, furthest = pair.furthest();
    pair.touch_listed(list.corners, 0, list.corners.count(), gone, near.near_by, near.found);
    for (auto& [ours, theirs, distance, room] : list.edges) {
      if (distance - near.moved > furthest) break;
      if (room <= gone + furthest) room = gone + pair.cross(ours, theirs, near.found);
    }
    // The collider's side becomes a prescribed point.
    for (std::size_t i = first; i < near.found.size(); ++i) {
      Contact& c = near.found[i];
      const bool edges = c.key.kind == ContactKey::edge_edge;
      c.key = {edges ? ContactKey::edge_collider : ContactKey::corner_collider, index,
               list.collider, c.key.feature_a, c.key.feature_b};
      c.point = c.a.point(sharp.surface.skin.position);
      c.motion = c.point - c.a.point(sharp.surface.skin.previous);
      c.normal = -c.normal;
      c.a = c.b;
      c.b = {};
      c.friction = std::sqrt(body.friction * colliders[list.collider].friction);
    }
  }
}

void ColliderFeatures::find(std::span<const Body> bodies, std::span<const Collider> colliders,
                            std::span<const SkinTopology> shapes, const ContactSettings& settings,
                            const ContactMemory& memory, const Substep& substep,
                            ContactList& contacts) {
  if (lists_.size() != bodies.size() || sharp_.size() != colliders.size()) return;
  const bool any =
      std::any_of(lists_.begin(), lists_.end(), [](const BodyFeatureList& n) { return !n.clear; });
  if (!any) return;
  for (std::size_t c = 0; c < colliders.size(); ++c) {
    SharpFeatures& sharp = sharp_[c];
    if (!sharp.bvh) continue;
    const auto place = [&](double time, std::vector<Vec3>& points) {
      const Pose pose = colliders[c].at(time);
      for (std::size_t v = 0; v < points.size(); ++v)
        points[v] = pose.apply(sharp.surface.skin.rest[v]);
    };
    Skin& skin = sharp.surface.skin;
    const bool moves = colliders[c].motion.moves();
    if (!moves && sharp.is_placed) continue;
    sharp.is_placed = !moves;
    place(substep.time, skin.previous);
    if (moves) place(substep.time + substep.h, skin.position);
    else skin.position = skin.previous;
    sharp.travel = displacement_of(skin.position, skin.previous).max;
  }
  bool outran = false;
  for (const BodyFeatureList& near : lists_)
    outran = outran || (!near.clear && near.moved + 2 * near.travel > near.foreseen);
  if (outran) {
    step_end_ = std::max(step_end_, substep.time + substep.h);
    follow(colliders, substep.time);
  }
  parallel_for(int(bodies.size()), 1, [&](int b, int) {
    BodyFeatureList& near = lists_[b];
    near.found.clear();
    if (near.clear || !std::isfinite(near.travel)) return;
    if (near.moved + 2 * near.travel > near.foreseen) list(b, bodies, shapes[b], settings, step_);
    look(b, bodies[b], shapes[b], colliders, settings, memory, substep.h);
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
