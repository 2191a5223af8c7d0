#include "contact/collider_contacts/collider_vertices.h"

#include <algorithm>
#include <cmath>

#include "contact/collider_contacts/corner_walls.h"
#include "contact/colliders/collider_sweep.h"
#include "core/assert.h"
#include "core/parallel.h"

namespace pliant {
namespace {

constexpr int vertex_grain = 1024;
constexpr int pair_grain = 256;

/// [m] How far from a shape a point is, or less, that has nothing of it within `reach`. Zero where
/// it is deep inside: there it touches whatever comes within reach again.
double clearance_around(const ColliderShape& shape, const Vec3& p, double reach) {
  const double bound = distance_bound(shape, p);
  if (bound > reach) return bound;
  const auto* mesh = std::get_if<MeshShape>(&shape);  // others answer wherever they have an inside
  if (!mesh || !mesh->closed) return reach;
  const std::optional<ColliderHit> nearest = shape_distance(shape, p);
  return nearest && nearest->gap > 0 ? std::max(reach, nearest->gap) : 0;
}

}  // namespace

void ColliderVertices::follow_colliders(std::span<const Collider> colliders, double time) {
  paths_.resize(colliders.size());
  for (std::size_t c = 0; c < colliders.size(); ++c)
    colliders[c].follow(time, step_end_, paths_[c].poses);
}

/// [m] A point that stays at p comes no nearer to the collider during the step.
double ColliderVertices::least_distance(const Collider& collider, const ColliderPath& path,
                                        const Vec3& p) {
  Vec3 last = path.local(p, 0);
  double nearest = distance_bound(collider.shape, last);
  double way = 0;
  for (int k = 1; k < int(path.poses.size()); ++k) {
    const Vec3 q = path.local(p, k);
    nearest = std::min(nearest, distance_bound(collider.shape, q));
    way += (q - last).norm();
    last = q;
  }
  // Once the way for what lies between the samples, twice for the reach, which grows with the
  // relative speed.
  return nearest - 3 * way;
}

void ColliderVertices::list(const ContactFrame& frame, int index, double allowed) {
  const Body& body = frame.bodies[index];
  const auto& colliders = frame.colliders;
  BodyColliderList& near = lists_[index];
  const std::vector<Vec3>& skin = body.skin.position;
  const double radius = 2 * body.thickness + frame.settings.reach * body.contact_scale + allowed;
  near.budget.start(radius);
  near.budget.rebase();
  near.listed_at = skin;
  near.path = 0;
  near.collider_path.assign(colliders.size(), 0);
  near.pairs.clear();

  const Box box = bounds(skin);
  near.centre = box.centre();
  near.extent = 0.5 * box.extent().norm();
  const int vertices = int(skin.size());
  for (int c = 0; c < int(colliders.size()); ++c) {
    if (passes_through(colliders[c], body)) continue;
    const auto least = [&](const Vec3& p) { return least_distance(colliders[c], paths_[c], p); };
    if (least(near.centre) > radius + near.extent) continue;
    near.distance.resize(std::size_t(vertices));
    parallel_for(vertices, vertex_grain, [&](int begin, int end) {
      for (int v = begin; v < end; ++v) near.distance[v] = rounded_down(least(skin[v]));
    });
    for (int v = 0; v < vertices; ++v)
      if (const float distance = near.distance[v]; distance <= radius)
        near.pairs.push_back({v, c, distance, 0});
  }
}

void ColliderVertices::start_step(const ContactFrame& frame) {
  step_end_ = frame.substep.time + frame.step;
  lists_.resize(frame.bodies.size());
  any_ = !frame.colliders.empty();
  if (!any_) return;
  follow_colliders(frame.colliders, frame.substep.time);
  parallel_for(int(frame.bodies.size()), 1, [&](int b, int) {
    list(frame, b, predicted_displacement(top_speed(frame.bodies[b].nodes), frame.step));
  });
}

void ColliderVertices::follow(const ContactFrame& frame) {
  any_ = !frame.colliders.empty();
  if (!any_) return;
  lists_.resize(frame.bodies.size());
  for (int b = 0; b < int(frame.bodies.size()); ++b) {
    const Body& body = frame.bodies[b];
    BodyColliderList& near = lists_[b];
    near.travel = frame.travel(b);
    near.budget.add(frame.motion[b].since_detection.max);
    near.path += frame.motion[b].since_detection.max;
    near.clear = near.pairs.empty() && int(near.listed_at.size()) == body.skin.weights.rows() &&
                 near.budget.holds(reach_of(body, frame.settings, near.travel) + body.thickness);
  }
}

bool ColliderVertices::is_clear(int body) const {
  return !any_ || (body < int(lists_.size()) && lists_[body].clear);
}

const Vec3* ColliderVertices::Lifts::of(const ContactKey& key) {
  if (known < 0) known = memory.lower_bound(key);
  while (known < memory.size() && memory.key[known] < key) ++known;
  const bool lifted =
      known < memory.size() && memory.key[known] == key && memory.lift[known].squaredNorm() > 0;
  return lifted ? &memory.lift[known] : nullptr;
}

double ColliderVertices::examine(const ContactFrame& frame, const ContactKey& key, Lifts& lifts,
                                 std::vector<Contact>& found) const {
  const Body& body = frame.bodies[key.body_a];
  const Collider& collider = frame.colliders[key.body_b];
  const Vec3 to = after_[key.body_b].into(body.skin.position[key.feature_a]);
  const auto* plane = std::get_if<PlaneShape>(&collider.shape);  // the most usual one
  const double height = plane ? plane->normal.dot(to) : 0, above = height - body.thickness;
  if (above > lists_[key.body_a].soon[key.body_b]) return height;
  const Vec3 start = before_[key.body_b].into(body.skin.previous[key.feature_a]);
  const double travel = (to - start).norm();
  const double soon_closed = soon(body, travel);
  if (above > soon_closed) return height;
  const double reach = reach_of(body, frame.settings, travel);
  const Vec3* lift = lifts.of(key);
  const Vec3 from = lift ? Vec3(start + *lift) : start;
  // A plane has no other side: it cannot be entered.
  const std::optional<Touch> touched =
      plane ? Touch{{height, plane->normal, to - height * plane->normal}, false}
            : touch(collider.shape, from, to, reach + body.thickness);
  if (!touched) return clearance_around(collider.shape, to, reach + body.thickness);
  if (touched->hit.gap - body.thickness > soon_closed)
    return touched->entered ? 0 : touched->hit.gap;

  const double gap = touched->hit.gap - body.thickness;
  const double exit = frame.settings.exit_speed * body.contact_scale * frame.substep.h;
  Contact& nearest = add(frame, key, touched->hit, found);
  // Overlap that this substep found is undone within `exit`; what the substep itself brought is
  // undone at once.
  if (lift) {
    nearest.goal = std::min(0.0, exit - lift->norm() - body.thickness);
  } else if (!touched->entered && gap - travel + exit < 0) {
    const auto at_start = shape_distance(collider.shape, start, reach + body.thickness + travel);
    if (at_start) nearest.goal = std::min(0.0, at_start->gap - body.thickness + exit);
  }
  const auto* mesh = std::get_if<MeshShape>(&collider.shape);
  if (!mesh || lift || touched->entered || touched->hit.gap <= 0) return 0;
  const CornerWalls more =
      corner_walls(*mesh, to, touched->hit.normal, 2 * (body.thickness + travel));
  for (int k = 0; k < more.count; ++k) add(frame, key, more.wall[k], found).key.feature_b = k + 1;
  return 0;
}

Contact& ColliderVertices::add(const ContactFrame& frame, const ContactKey& key,
                               const ColliderHit& local, std::vector<Contact>& found) const {
  const Body& body = frame.bodies[key.body_a];
  const PlacedCollider& placed = after_[key.body_b];
  Contact& contact = found.emplace_back();
  contact.key = key;
  contact.a = Anchor::on_vertex(key.body_a, key.feature_a);
  contact.normal = placed.turned ? Vec3(placed.pose.rotation * local.normal) : local.normal;
  contact.point = placed.out_of(local.point);
  contact.motion = contact.point - before_[key.body_b].out_of(local.point);
  contact.thickness = body.thickness;
  contact.friction = std::sqrt(body.friction * frame.colliders[key.body_b].friction);
  contact.tolerance = frame.settings.tolerance * body.contact_scale;
  contact.gap = local.gap - body.thickness;
  return contact;
}

double ColliderVertices::PlacedCollider::displacement_to(const PlacedCollider& other,
                                                         const Vec3& centre, double radius) const {
  double moved = (into(centre) - other.into(centre)).norm();
  if (turned || other.turned)
    moved +=
        (pose.rotation.toRotationMatrix() - other.pose.rotation.toRotationMatrix()).norm() * radius;
  return moved;
}

/// Whether a body has moved so far that others of its vertices may be near. Measures that anew
/// where a sum of displacements does not tell.
bool ColliderVertices::is_outdated(const ContactFrame& frame, BodyColliderList& near,
                                   const Body& body) {
  constexpr int most_sums = 8;  // a sum grows faster than the displacement
  const std::vector<Vec3>& skin = body.skin.position;
  if (near.listed_at.size() != skin.size()) return true;
  const double reach = reach_of(body, frame.settings, near.travel) + body.thickness;
  if (near.budget.sums() > most_sums || !near.budget.holds(reach))
    near.budget.measured(displacement_of(skin, near.listed_at).max);
  return !near.budget.holds(reach);
}

/// What each body must look at in this substep; listed anew where it moved further than allowed.
void ColliderVertices::refresh(const ContactFrame& frame) {
  const auto& [bodies, colliders] = std::pair(frame.bodies, frame.colliders);
  const Substep& substep = frame.substep;
  before_.resize(colliders.size());
  after_.resize(colliders.size());
  for (std::size_t c = 0; c < colliders.size(); ++c) {
    before_[c] = PlacedCollider(colliders[c].at(substep.time));
    after_[c] = PlacedCollider(colliders[c].at(substep.time + substep.h));
  }
  if (!any_ || bodies.empty()) return;
  ASSERT(lists_.size() == bodies.size(), "bodies are followed before their lists are refreshed");
  parallel_for(int(bodies.size()), 1, [&](int b, int) {
    BodyColliderList& near = lists_[b];
    // What is not finite, the world tells at the end of the step.
    near.outdated =
        !near.clear && std::isfinite(near.travel) && is_outdated(frame, near, bodies[b]);
  });
  if (std::any_of(lists_.begin(), lists_.end(), [](const auto& near) { return near.outdated; })) {
    step_end_ = std::max(step_end_, substep.time + substep.h);
    follow_colliders(colliders, substep.time);
    parallel_for(int(bodies.size()), 1, [&](int b, int) {
      const double travel = lists_[b].travel;
      if (lists_[b].outdated)
        list(frame, b, predicted_displacement(travel / substep.h, frame.step) + 2 * travel);
    });
  }
  count_pairs(frame);
}

void ColliderVertices::count_pairs(const ContactFrame& frame) {
  int start = 0;
  for (int b = 0; b < int(lists_.size()); ++b) {
    BodyColliderList& near = lists_[b];
    near.start = start;
    near.collider_path.resize(frame.colliders.size());
    near.soon.resize(frame.colliders.size());
    for (std::size_t c = 0; c < frame.colliders.size(); ++c) {
      const double moved =
          before_[c].displacement_to(after_[c], near.centre, near.extent + near.budget.used());
      near.collider_path[c] += moved;
      // Gaps that the solve may close; the way into a collider is looked for further.
      near.soon[c] = soon(frame.bodies[b], near.travel + moved);
    }
    if (near.clear) continue;
    if (!std::isfinite(near.travel)) {
      near.pairs.clear();
      near.budget.start(0);
      continue;
    }
    start += int(near.pairs.size());
  }
}

void ColliderVertices::find(const ContactFrame& frame, ContactList& contacts) {
  if (!any_ || frame.bodies.empty()) return;
  const int count = lists_.back().start + int(lists_.back().pairs.size());
  const auto look = [&](int begin, int end, std::vector<Contact>& found) {
    int b =
        int(std::upper_bound(lists_.begin(), lists_.end(), begin,
                             [](int i, const BodyColliderList& near) { return i < near.start; }) -
            lists_.begin()) -
        1;
    Lifts lifts{frame.memory};
    for (int i = begin; i < end; ++b) {
      const double thickness = frame.bodies[b].thickness;
      BodyColliderList& near = lists_[b];
      for (; i < end && i - near.start < int(near.pairs.size()); ++i) {
        VertexCollider& pair = near.pairs[i - near.start];
        const int c = pair.collider;
        const double looked = near.soon[c] + thickness, path = near.path + near.collider_path[c];
        if (pair.distance > looked + near.budget.used() || pair.clearance > looked + path) continue;
        const ContactKey key{ContactKey::vertex_collider, b, c, pair.vertex, 0};
        pair.clearance = path + examine(frame, key, lifts, found);
      }
    }
  };
  found_.append(count, pair_grain, contacts, look);
}

Vec3 ColliderVertices::lift(const Contact& contact, double side_margin) const {
  ASSERT(contact.key.body_b < int(after_.size()), "the contact is of this substep");
  const double gap = contact.distance();
  if (gap >= side_margin || contact.key.feature_b > 0) return Vec3::Zero();
  const Pose& pose = after_[contact.key.body_b].pose;
  return pose.rotation.conjugate() * ((side_margin - gap) * contact.normal);
}

int ColliderVertices::candidates() const {
  int sum = 0;
  for (const BodyColliderList& near : lists_) sum += int(near.pairs.size());
  return sum;
}

}  // namespace pliant
