#include "contact/collider_contacts/collider_vertices.h"

#include <algorithm>
#include <cmath>

#include "contact/motion/displacement.h"
#include "core/parallel.h"

namespace pliant {
namespace {

constexpr int vertex_grain = 1024;
constexpr int pair_grain = 256;

/// [m] How far from a shape a point is, or less, that has nothing of it within `reach`. Zero where
/// it is deep inside: there it touches whatever comes within reach again.
double room_around(const ColliderShape& shape, const Vec3& p, double reach) {
  const double bound = distance_bound(shape, p);
  if (bound > reach) return bound;
  const auto* mesh = std::get_if<MeshShape>(&shape);  // others answer wherever they have an inside
  if (!mesh || !mesh->closed) return reach;
  const std::optional<ColliderHit> nearest = shape_distance(shape, p);
  return nearest && nearest->gap > 0 ? std::max(reach, nearest->gap) : 0;
}

}  // namespace

void ColliderVertices::follow(std::span<const Collider> colliders, double time) {
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

void ColliderVertices::list(int index, const Body& body, std::span<const Collider> colliders,
                            const ContactSettings& settings, double foreseen) {
  BodyColliderList& near = lists_[index];
  const std::vector<Vec3>& skin = body.skin.position;
  near.radius = 2 * body.thickness + settings.reach * body.size + foreseen;
  near.listed_at = skin;
  near.moved = 0;
  near.summed = 0;
  near.gone = 0;
  near.passed.assign(colliders.size(), 0);
  near.pairs.clear();

  const Box box = bounds(skin);
  near.centre = box.centre();
  near.extent = 0.5 * box.extent().norm();
  const int vertices = int(skin.size());
  for (int c = 0; c < int(colliders.size()); ++c) {
    const auto least = [&](const Vec3& p) { return least_distance(colliders[c], paths_[c], p); };
    if (least(near.centre) > near.radius + near.extent) continue;
    near.distance.resize(std::size_t(vertices));
    parallel_for(vertices, vertex_grain, [&](int begin, int end) {
      for (int v = begin; v < end; ++v) near.distance[v] = rounded_down(least(skin[v]));
    });
    for (int v = 0; v < vertices; ++v)
      if (const float distance = near.distance[v]; distance <= near.radius)
        near.pairs.push_back({v, c, distance, 0});
  }
}

void ColliderVertices::find_candidates(std::span<const Body> bodies,
                                       std::span<const Collider> colliders,
                                       const ContactSettings& settings, double time, double dt) {
  step_ = dt;
  step_end_ = time + dt;
  lists_.resize(bodies.size());
  if (colliders.empty()) return;
  follow(colliders, time);
  parallel_for(int(bodies.size()), 1, [&](int b, int) {
    list(b, bodies[b], colliders, settings, predicted_displacement(top_speed(bodies[b].nodes), dt));
  });
}

bool ColliderVertices::is_clear(int index, const Body& body, std::span<const Collider> colliders,
                                const ContactSettings& settings, double travel, double went) {
  if (colliders.empty()) return true;
  if (index >= int(lists_.size())) return false;
  BodyColliderList& near = lists_[index];
  near.clear = false;
  near.moved += went;
  near.gone += went;
  if (!near.pairs.empty() || int(near.listed_at.size()) != body.skin.weights.rows()) return false;
  near.clear = near.moved + reach_of(body, settings, travel) + body.thickness <= near.radius;
  return near.clear;
}

const Vec3* ColliderVertices::Lifts::of(const ContactKey& key) {
  if (known < 0) known = memory.lower_bound(key);
  while (known < memory.size() && memory.key[known] < key) ++known;
  const bool lifted =
      known < memory.size() && memory.key[known] == key && memory.lift[known].squaredNorm() > 0;
  return lifted ? &memory.lift[known] : nullptr;
}

double ColliderVertices::examine(const Body& body, const ContactKey& key, const Collider& collider,
                                 Lifts& lifts, const ContactSettings& settings, double h,
                                 std::vector<Contact>& found) const {
  const Vec3 to = after_[key.body_b].into(body.skin.position[key.feature_a]);
  const auto* plane = std::get_if<PlaneShape>(&collider.shape);  // the most usual one
  const double height = plane ? plane->normal.dot(to) : 0, above = height - body.thickness;
  if (above > lists_[key.body_a].soon[key.body_b]) return height;
  const Vec3 start = before_[key.body_b].into(body.skin.previous[key.feature_a]);
  const double travel = (to - start).norm();
  const double soon_closed = soon(body, travel);
  if (above > soon_closed) return height;
  const double reach = reach_of(body, settings, travel);
  const Vec3* lift = lifts.of(key);
  const Vec3 from = lift ? Vec3(start + *lift) : start;
  // A plane has no other side: it cannot be entered.
  const std::optional<Touch> touched =
      plane ? Touch{{height, plane->normal, to - height * plane->normal}, false}
            : touch(collider.shape, from, to, reach + body.thickness);
  if (!touched) return room_around(collider.shape, to, reach + body.thickness);
  if (touched->hit.gap - body.thickness > soon_closed)
    return touched->entered ? 0 : touched->hit.gap;

  const double gap = touched->hit.gap - body.thickness;
  const double exit = settings.exit_speed * body.size * h;
  Contact& nearest = add(body, key, touched->hit, collider, settings, found);
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
  for (int k = 0; k < more.count; ++k)
    add(body, key, more.wall[k], collider, settings, found).key.feature_b = k + 1;
  return 0;
}

Contact& ColliderVertices::add(const Body& body, const ContactKey& key, const ColliderHit& local,
                               const Collider& collider, const ContactSettings& settings,
                               std::vector<Contact>& found) const {
  const PlacedCollider& placed = after_[key.body_b];
  Contact& contact = found.emplace_back();
  contact.key = key;
  contact.a = Anchor::on_vertex(key.body_a, key.feature_a);
  contact.normal = placed.turned ? Vec3(placed.pose.rotation * local.normal) : local.normal;
  contact.point = placed.out_of(local.point);
  contact.motion = contact.point - before_[key.body_b].out_of(local.point);
  contact.thickness = body.thickness;
  contact.friction = std::sqrt(body.friction * collider.friction);
  contact.tolerance = settings.tolerance * body.size;
  contact.gap = local.gap - body.thickness;
  return contact;
}

double ColliderVertices::PlacedCollider::way_to(const PlacedCollider& other, const Vec3& centre,
                                                double radius) const {
  double way = (into(centre) - other.into(centre)).norm();
  if (turned || other.turned)
    way +=
        (pose.rotation.toRotationMatrix() - other.pose.rotation.toRotationMatrix()).norm() * radius;
  return way;
}

/// Whether a body has moved so far that others of its vertices may be near. Measures that anew
/// where a sum of ways does not tell.
bool ColliderVertices::is_outrun(BodyColliderList& near, const Body& body,
                                 const ContactSettings& settings, double travel) {
  constexpr int most_summed = 8;  // a sum of ways grows faster than the way
  const std::vector<Vec3>& skin = body.skin.position;
  if (near.listed_at.size() != skin.size()) return true;
  const double reach = reach_of(body, settings, travel) + body.thickness;
  if (++near.summed > most_summed || near.moved + reach > near.radius) {
    near.moved = displacement_of(skin, near.listed_at).max;
    near.summed = 0;
  }
  return near.moved + reach > near.radius;
}

/// What each body must look at in this substep; listed anew where it moved further than foreseen.
void ColliderVertices::foresee(std::span<const Body> bodies, std::span<const double> travels,
                               std::span<const Collider> colliders, const ContactSettings& settings,
                               const Substep& substep) {
  const auto is_finite = [&](int b) {  // otherwise the world says so at the end of the step
    return std::isfinite(travels[b]);
  };
  parallel_for(int(bodies.size()), 1, [&](int b, int) {
    BodyColliderList& near = lists_[b];
    near.outrun = !near.clear && is_finite(b) && is_outrun(near, bodies[b], settings, travels[b]);
  });
  if (std::any_of(lists_.begin(), lists_.end(),
                  [](const BodyColliderList& near) { return near.outrun; })) {
    step_end_ = std::max(step_end_, substep.time + substep.h);
    follow(colliders, substep.time);
    parallel_for(int(bodies.size()), 1, [&](int b, int) {
      const double foreseen =
          predicted_displacement(travels[b] / substep.h, step_) + 2 * travels[b];
      if (lists_[b].outrun) list(b, bodies[b], colliders, settings, foreseen);
    });
  }
  int start = 0;
  for (int b = 0; b < int(bodies.size()); ++b) {
    BodyColliderList& near = lists_[b];
    near.start = start;
    near.passed.resize(colliders.size());
    near.soon.resize(colliders.size());
    for (std::size_t c = 0; c < colliders.size(); ++c) {
      const double way = before_[c].way_to(after_[c], near.centre, near.extent + near.moved);
      near.passed[c] += way;
      // Gaps that the solve may close; the way into a collider is looked for further.
      near.soon[c] = soon(bodies[b], travels[b] + way);
    }
    if (near.clear) continue;
    if (!is_finite(b)) {
      near.pairs.clear();
      near.radius = 0;
      continue;
    }
    start += int(near.pairs.size());
  }
}

void ColliderVertices::find(std::span<const Body> bodies, std::span<const double> travel,
                            std::span<const Collider> colliders, const ContactSettings& settings,
                            const ContactMemory& memory, const Substep& substep,
                            ContactList& contacts) {
  before_.resize(colliders.size());
  after_.resize(colliders.size());
  for (std::size_t c = 0; c < colliders.size(); ++c) {
    before_[c] = PlacedCollider(colliders[c].at(substep.time));
    after_[c] = PlacedCollider(colliders[c].at(substep.time + substep.h));
  }
  lists_.resize(bodies.size());
  if (colliders.empty() || bodies.empty()) return;
  foresee(bodies, travel, colliders, settings, substep);

  const int count = lists_.back().start + int(lists_.back().pairs.size());
  const auto look = [&](int begin, int end, std::vector<Contact>& found) {
    int b =
        int(std::upper_bound(lists_.begin(), lists_.end(), begin,
                             [](int i, const BodyColliderList& near) { return i < near.start; }) -
            lists_.begin()) -
        1;
    Lifts lifts{memory};
    for (int i = begin; i < end; ++b) {
      const Body& body = bodies[b];
      BodyColliderList& near = lists_[b];
      for (; i < end && i - near.start < int(near.pairs.size()); ++i) {
        VertexCollider& pair = near.pairs[i - near.start];
        const int c = pair.collider;
        const double looked = near.soon[c] + body.thickness, gone = near.gone + near.passed[c];
        if (pair.distance > looked + near.moved || pair.room > looked + gone) continue;
        const ContactKey key{ContactKey::vertex_collider, b, c, pair.vertex, 0};
        pair.room = gone + examine(body, key, colliders[c], lifts, settings, substep.h, found);
      }
    }
  };
  found_.append(count, pair_grain, contacts, look);
}

Vec3 ColliderVertices::lift(const Contact& contact, double side_margin) const {
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
