#include "contact/collider_corners.h"

#include <algorithm>
#include <cmath>

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

Box way_of_edge(const Skin& skin, const SkinShape::Edge& edge) {
  Box box;
  for (const int v : edge.vertex) box.add(skin.previous[v]), box.add(skin.position[v]);
  return box;
}

}  // namespace

/// Finds what is sharp about each collider; only where colliders changed.
void ColliderCorners::prepare(std::span<const Collider> colliders) {
  sharp_.resize(colliders.size());
  for (std::size_t c = 0; c < colliders.size(); ++c) {
    Sharp& sharp = sharp_[c];
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
      if (bend_at(skin, sharp.shape.edges[e]) != Bend::ridge) continue;
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

void ColliderCorners::follow(std::span<const Collider> colliders, double time) {
  for (std::size_t c = 0; c < colliders.size(); ++c)
    colliders[c].follow(time, step_end_, sharp_[c].poses);
}

void ColliderCorners::find_candidates(std::span<const Body> bodies,
                                      std::span<const Collider> colliders,
                                      std::span<const SkinShape> shapes,
                                      const ContactSettings& settings, double time, double dt) {
  step_ = dt;
  step_end_ = time + dt;
  prepare(colliders);
  near_.resize(bodies.size());
  follow(colliders, time);
  for (Sharp& sharp : sharp_) sharp.is_placed = false;  // somebody may have moved it since
  parallel_for(int(bodies.size()), 1, [&](int b, int) {
    near_[b].travel = 0;
    list(b, bodies, shapes[b], settings, dt);
  });
}

void ColliderCorners::list(int index, std::span<const Body> bodies, const SkinShape& shape,
                           const ContactSettings& settings, double dt) {
  const Body& body = bodies[index];
  Near& near = near_[index];
  near.foreseen =
      std::max(foreseen_way(top_speed(body.nodes), dt), 4 * near.travel) + sight * body.size;
  near.moved = 0;
  near.count = 0;
  const double radius = 3 * (body.thickness + near.foreseen) + settings.reach * body.size;
  for (std::size_t c = 0; c < sharp_.size(); ++c) {
    if (!sharp_[c].bvh) continue;
    if (near.count == int(near.lists.size())) near.lists.emplace_back();
    List& list = near.lists[near.count];
    list.collider = int(c);
    list.corners.clear();
    list.edges.clear();
    list.passing.clear();
    list_parts(sharp_[c], body, shape, radius, body.thickness + 3 * near.foreseen, near.parts,
               list);
    if (!list.corners.empty() || !list.edges.empty() || !list.passing.empty()) ++near.count;
  }
}

void ColliderCorners::list_parts(const Sharp& sharp, const Body& body, const SkinShape& shape,
                                 double radius, double soon, std::vector<int>& parts,
                                 List& list) const {
  const Skin& skin = body.skin;
  // Where things are during the step, seen from the collider: once its way for what lies between
  // the samples.
  const auto seen = [&](const Box& box) {
    Box all;
    double way = 0;
    for (std::size_t k = 0; k < sharp.poses.size(); ++k) {
      for (int corner = 0; corner < 8; ++corner)
        all.add(sharp.poses[k].apply_inverse({corner & 1 ? box.low.x() : box.high.x(),
                                              corner & 2 ? box.low.y() : box.high.y(),
                                              corner & 4 ? box.low.z() : box.high.z()}));
      if (k > 0)
        way += (sharp.poses[k].apply_inverse(box.centre()) -
                sharp.poses[k - 1].apply_inverse(box.centre()))
                   .norm();
    }
    all.grow(radius + way);
    return all;
  };
  if (!seen(bounds(skin.position)).overlaps(sharp.box)) return;
  const auto may_meet = [&](int part, const SkinShape::Edge& edge, double distance) {
    if (sharp.poses.size() > 1) return true;
    const Pose& pose = sharp.poses.front();
    const Triangle& ends = sharp.parts.triangles[part];
    return closest_between_segments(pose.apply(sharp.parts.points[ends[0]]),
                                    pose.apply(sharp.parts.points[ends[1]]),
                                    skin.position[edge.vertex[0]], skin.position[edge.vertex[1]])
               .distance <= distance;
  };
  for (int t = 0; t < int(skin.triangles.size()); ++t) {
    Box box;
    for (const int v : skin.triangles[t]) box.add(skin.position[v]);
    const Box local = seen(box);
    if (!local.overlaps(sharp.box)) continue;
    parts.clear();
    sharp.bvh->triangles_in(local, parts);
    for (const int part : parts) {
      if (sharp.vertex[part] >= 0) {
        list.corners.push_back({sharp.vertex[part], t});
        continue;
      }
      for (const int e : shape.edge_of_side[t]) {
        if (shape.edges[e].face[0] != t) continue;  // once, not from both its triangles
        const bool ridge = bend_at(skin, shape.edges[e]) == Bend::ridge;
        if (may_meet(part, shape.edges[e], ridge ? radius : soon))
          (ridge ? list.edges : list.passing).push_back({sharp.ridge[part], e});
      }
    }
  }
  std::sort(list.corners.begin(), list.corners.end());
}

bool ColliderCorners::stays_clear(int body, double travel) {
  if (body >= int(near_.size())) return true;  // nothing was listed yet: no step has begun
  Near& near = near_[body];
  near.travel = travel;
  near.moved += travel;
  near.clear = near.count == 0 && near.moved + 2 * travel <= near.foreseen;
  return near.clear;
}

void ColliderCorners::look(int index, const Body& body, const SkinShape& shape,
                           std::span<const Collider> colliders, const ContactSettings& settings,
                           const ContactMemory& memory, double h) {
  Near& near = near_[index];
  const double reach = settings.reach * body.size;
  for (int l = 0; l < near.count; ++l) {
    const List& list = near.lists[l];
    const Sharp& sharp = sharp_[list.collider];
    const double travel = near.travel + sharp.travel;
    const SkinPair pair{.a = sharp.surface,
                        .b = body,
                        .shape_a = sharp.shape,
                        .shape_b = shape,
                        .memory = memory,
                        .index_a = -1,
                        .index_b = index,
                        .size = body.size,
                        .thickness = body.thickness,
                        .near = SkinPair::soon(reach, body.thickness, travel),
                        .depth = reach,
                        .travel = travel,
                        .moved = 0,  // distances are not listed
                        .exit = settings.exit_speed * body.size * h,
                        .tolerance = settings.tolerance * body.size};
    const std::size_t first = near.found.size();
    for (std::size_t i = 0; i < list.corners.size();) {
      const int vertex = list.corners[i][0];
      near.candidates.clear();
      for (; i < list.corners.size() && list.corners[i][0] == vertex; ++i)
        near.candidates.push_back({list.corners[i][1], 0});
      int last = -1;
      pair.touch(vertex, near.candidates, last, near.near_by, near.found);
    }
    for (const auto& [ours, theirs] : list.edges) pair.cross(ours, theirs, near.found);
    for (const auto& [ours, theirs] : list.passing)
      if (way_of_edge(sharp.surface.skin, sharp.shape.edges[ours])
              .overlaps(way_of_edge(body.skin, shape.edges[theirs])))
        pair.cross(ours, theirs, near.found);
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

void ColliderCorners::find(std::span<const Body> bodies, std::span<const Collider> colliders,
                           std::span<const SkinShape> shapes, const ContactSettings& settings,
                           const ContactMemory& memory, const Substep& substep,
                           std::vector<Contact>& contacts) {
  if (near_.size() != bodies.size() || sharp_.size() != colliders.size()) return;
  const bool any = std::any_of(near_.begin(), near_.end(), [](const Near& n) { return !n.clear; });
  if (!any) return;
  for (std::size_t c = 0; c < colliders.size(); ++c) {
    Sharp& sharp = sharp_[c];
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
    sharp.travel = way_of(skin.position, skin.previous).furthest;
  }
  bool outran = false;
  for (const Near& near : near_)
    outran = outran || (!near.clear && near.moved + 2 * near.travel > near.foreseen);
  if (outran) {
    step_end_ = std::max(step_end_, substep.time + substep.h);
    follow(colliders, substep.time);
  }
  parallel_for(int(bodies.size()), 1, [&](int b, int) {
    Near& near = near_[b];
    near.found.clear();
    if (near.clear || !std::isfinite(near.travel)) return;
    if (near.moved + 2 * near.travel > near.foreseen) list(b, bodies, shapes[b], settings, step_);
    look(b, bodies[b], shapes[b], colliders, settings, memory, substep.h);
  });
  const auto before = std::ptrdiff_t(contacts.size());
  for (const Near& near : near_)
    contacts.insert(contacts.end(), near.found.begin(), near.found.end());
  std::sort(contacts.begin() + before, contacts.end(),
            [](const Contact& p, const Contact& q) { return p.key < q.key; });
}

int ColliderCorners::candidates() const {
  std::size_t sum = 0;
  for (const Near& near : near_)
    for (int l = 0; l < near.count; ++l)
      sum +=
          near.lists[l].corners.size() + near.lists[l].edges.size() + near.lists[l].passing.size();
  return int(sum);
}

}  // namespace pliant
