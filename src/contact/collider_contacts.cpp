#include "contact/collider_contacts.h"

#include <algorithm>
#include <cmath>

#include "contact/way.h"
#include "core/parallel.h"

namespace pliant {
namespace {

constexpr int vertex_grain = 1024;
constexpr int pair_grain = 256;

}  // namespace

void ColliderContacts::follow(std::span<const Collider> colliders, double time) {
  passing_.resize(colliders.size());
  for (std::size_t c = 0; c < colliders.size(); ++c)
    colliders[c].follow(time, step_end_, passing_[c].poses);
}

/// [m] A point that stays at p comes no nearer to the collider during the step.
double ColliderContacts::least_distance(const Collider& collider, const Passing& passing,
                                        const Vec3& p) {
  Vec3 last = passing.local(p, 0);
  double nearest = distance_bound(collider.shape, last);
  double way = 0;
  for (int k = 1; k < int(passing.poses.size()); ++k) {
    const Vec3 q = passing.local(p, k);
    nearest = std::min(nearest, distance_bound(collider.shape, q));
    way += (q - last).norm();
    last = q;
  }
  // Once the way for what lies between the samples, twice for the reach, which grows with the
  // relative speed.
  return nearest - 3 * way;
}

void ColliderContacts::list(int index, const Body& body, std::span<const Collider> colliders,
                            const ContactSettings& settings, double foreseen) {
  Near& near = near_[index];
  const std::vector<Vec3>& skin = body.skin.position;
  near.radius = 2 * body.thickness + settings.reach * body.size + foreseen;
  near.listed_at = skin;
  near.moved = 0;
  near.pairs.clear();

  const Box box = bounds(skin);
  close_.clear();
  for (int c = 0; c < int(colliders.size()); ++c)
    if (least_distance(colliders[c], passing_[c], box.centre()) <=
        near.radius + 0.5 * box.extent().norm())
      close_.push_back(c);
  const int width = int(close_.size());
  if (width == 0) return;

  const int vertices = int(skin.size());
  distance_.resize(std::size_t(vertices) * width);
  parallel_for(vertices, vertex_grain, [&](int begin, int end) {
    for (int v = begin; v < end; ++v)
      for (int k = 0; k < width; ++k)
        distance_[std::size_t(v) * width + k] =
            rounded_down(least_distance(colliders[close_[k]], passing_[close_[k]], skin[v]));
  });
  for (int k = 0; k < width; ++k)
    for (int v = 0; v < vertices; ++v)
      if (const float distance = distance_[std::size_t(v) * width + k]; distance <= near.radius)
        near.pairs.push_back({v, close_[k], distance});
}

void ColliderContacts::find_candidates(std::span<const Body> bodies,
                                       std::span<const Collider> colliders,
                                       const ContactSettings& settings, double time, double dt) {
  step_ = dt;
  step_end_ = time + dt;
  near_.resize(bodies.size());
  if (colliders.empty()) return;
  follow(colliders, time);
  for (int b = 0; b < int(bodies.size()); ++b)
    list(b, bodies[b], colliders, settings, foreseen_way(top_speed(bodies[b].nodes), dt));
}

bool ColliderContacts::stays_clear(int index, const Body& body, std::span<const Collider> colliders,
                                   const ContactSettings& settings, double travel) {
  if (colliders.empty()) return true;
  if (index >= int(near_.size())) return false;
  Near& near = near_[index];
  near.clear = false;
  if (!near.pairs.empty() || int(near.listed_at.size()) != body.skin.weights.rows()) return false;
  near.moved += travel;
  near.clear = near.moved + reach_of(body, settings, travel) + body.thickness <= near.radius;
  return near.clear;
}

ColliderContacts::Found ColliderContacts::examine(const Body& body, const Collider& collider,
                                                  int index, int vertex, const Vec3* lift,
                                                  const ContactSettings& settings, double near,
                                                  double h) const {
  const Vec3 start = before_[index].apply_inverse(body.skin.previous[vertex]);
  const Vec3 to = after_[index].apply_inverse(body.skin.position[vertex]);
  const double travel = (to - start).norm();
  const double reach = reach_of(body, settings, travel);
  const Vec3 from = lift ? Vec3(start + *lift) : start;
  const std::optional<Touch> touched = touch(collider.shape, from, to, reach + body.thickness);
  if (!touched || touched->hit.gap - body.thickness > near) return {};

  Found found{true, touched->hit, 0, {}};
  const double gap = touched->hit.gap - body.thickness;
  const double exit = settings.exit_speed * body.size * h;
  // Overlap that this substep found is undone within `exit`; what the substep itself brought is
  // undone at once.
  if (lift) {
    found.goal = std::min(0.0, exit - lift->norm() - body.thickness);
  } else if (!touched->entered && gap - travel + exit < 0) {
    const auto at_start = shape_distance(collider.shape, start, reach + body.thickness + travel);
    if (at_start) found.goal = std::min(0.0, at_start->gap - body.thickness + exit);
  }
  if (const auto* mesh = std::get_if<MeshShape>(&collider.shape))
    if (!lift && !touched->entered && touched->hit.gap > 0)
      found.more = corner_walls(*mesh, to, touched->hit.normal, 2 * (body.thickness + travel));
  return found;
}

Contact ColliderContacts::contact(const Body& body, int index, const Pair& pair,
                                  const ColliderHit& local, const Collider& collider,
                                  const ContactSettings& settings) const {
  const ColliderHit hit = in_world(local, after_[pair.collider]);
  Contact contact;
  contact.key = {ContactKey::vertex_collider, index, pair.collider, pair.vertex, 0};
  contact.a = Anchor::on_vertex(index, pair.vertex);
  contact.normal = hit.normal;
  contact.point = hit.point;
  contact.motion = hit.point - before_[pair.collider].apply(local.point);
  contact.thickness = body.thickness;
  contact.friction = std::sqrt(body.friction * collider.friction);
  contact.tolerance = settings.tolerance * body.size;
  contact.gap = hit.gap - body.thickness;
  return contact;
}

void ColliderContacts::find(std::span<const Body> bodies, std::span<const Collider> colliders,
                            const ContactSettings& settings, const ContactMemory& memory,
                            const Substep& substep, std::vector<Contact>& contacts) {
  before_.resize(colliders.size());
  after_.resize(colliders.size());
  for (std::size_t c = 0; c < colliders.size(); ++c) {
    before_[c] = colliders[c].at(substep.time);
    after_[c] = colliders[c].at(substep.time + substep.h);
  }
  near_.resize(bodies.size());
  if (colliders.empty()) return;

  for (int b = 0; b < int(bodies.size()); ++b) {
    const Body& body = bodies[b];
    Near& near = near_[b];
    if (near.clear) continue;
    const double travel = way_of(body.skin.position, body.skin.previous).furthest;
    if (!std::isfinite(travel)) continue;  // the world says so at the end of the step
    const bool same_skin = near.listed_at.size() == body.skin.position.size();
    double moved = same_skin ? way_of(body.skin.position, near.listed_at).furthest : 0;
    const double reach = reach_of(body, settings, travel);
    if (!same_skin || moved + reach + body.thickness > near.radius) {
      step_end_ = std::max(step_end_, substep.time + substep.h);
      follow(colliders, substep.time);
      list(b, body, colliders, settings, foreseen_way(travel / substep.h, step_) + 2 * travel);
      moved = 0;
    }

    // Gaps that the solve may close; the way into a collider is looked for further.
    const double soon = SkinPair::reach(
        SkinPair::soon(settings.reach * body.size, body.thickness, travel), body.thickness, travel);
    const int count = int(near.pairs.size());
    found_.resize(count);
    parallel_for(count, pair_grain, [&](int begin, int end) {
      const auto key_of = [&](int i) {
        return ContactKey{ContactKey::vertex_collider, b, near.pairs[i].collider,
                          near.pairs[i].vertex, 0};
      };
      int known = memory.lower_bound(key_of(begin));
      for (int i = begin; i < end; ++i) {
        const Pair& pair = near.pairs[i];
        found_[i].touches = false;
        if (pair.distance - moved > soon + body.thickness) continue;
        const ContactKey key = key_of(i);
        while (known < memory.size() && memory.key[known] < key) ++known;
        const bool lifted = known < memory.size() && memory.key[known] == key &&
                            memory.lift[known].squaredNorm() > 0;
        found_[i] = examine(body, colliders[pair.collider], pair.collider, pair.vertex,
                            lifted ? &memory.lift[known] : nullptr, settings, soon, substep.h);
      }
    });
    for (int i = 0; i < count; ++i) {
      const Pair& pair = near.pairs[i];
      if (!found_[i].touches) continue;
      const auto add = [&](const ColliderHit& hit) {
        contacts.push_back(contact(body, b, pair, hit, colliders[pair.collider], settings));
      };
      add(found_[i].hit);
      contacts.back().goal = found_[i].goal;
      for (int k = 0; k < found_[i].more.count; ++k) {
        add(found_[i].more.wall[k]);
        contacts.back().key.feature_b = k + 1;
      }
    }
  }
}

Vec3 ColliderContacts::lift(const Contact& contact, double side_margin) const {
  const double gap = contact.gap + contact.thickness;
  if (gap >= side_margin || contact.key.feature_b > 0) return Vec3::Zero();
  const Pose& pose = after_[contact.key.body_b];
  return pose.rotation.conjugate() * ((side_margin - gap) * contact.normal);
}

int ColliderContacts::candidates() const {
  int sum = 0;
  for (const Near& near : near_) sum += int(near.pairs.size());
  return sum;
}

}  // namespace pliant
