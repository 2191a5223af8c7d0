#include "contact/solve/rigid_contacts.h"

#include <algorithm>
#include <cmath>

#include "core/assert.h"

namespace pliant {
namespace {

/// Slower than what gravity does in so many substeps nothing bounces, or it would never rest.
constexpr double patience = 4;

constexpr double exit_speed = 0.1;  // [1/s] scales per second at which overlap is undone
constexpr double share_of_fall = 0.1;
constexpr double least_tolerance = 0.01;  // of the usual one: there may be no gravity

double restitution(std::span<const Body> bodies, const Contact& contact) {
  const double own = bodies[contact.a.body].restitution;
  return contact.b.body < 0 ? own : std::sqrt(own * bodies[contact.b.body].restitution);
}

/// [m/s^2] of the whole body, without contact.
Vec3 pushed(const Nodes& nodes) {
  Vec3 force = Vec3::Zero();
  for (const Vec3& f : nodes.force) force += f;
  return force / total_mass(nodes);
}

/// [m/s^2] of the faster of the two, without contact; negative where one of them deforms.
double most_pushed(std::span<const Body> bodies, const Contact& contact) {
  double most = -1;
  for (const Anchor* side : {&contact.a, &contact.b}) {
    if (side->body < 0) continue;
    if (bodies[side->body].deforms) return -1;
    most = std::max(most, pushed(bodies[side->body].nodes).norm());
  }
  return most;
}

}  // namespace

void RigidContacts::start(std::span<const Body> bodies, ContactList& contacts, double h) {
  ASSERT(h > 0, "a substep takes time");
  resting_acceleration_.assign(bodies.size(), Vec3::Zero());
  any_ = std::any_of(bodies.begin(), bodies.end(), [](const Body& body) { return !body.deforms; });
  if (!any_) return;
  for (Contact& contact : contacts) {
    resting_acceleration_[contact.a.body] += contact.impulse;
    if (contact.b.body >= 0) resting_acceleration_[contact.b.body] -= contact.impulse;
    const double most = most_pushed(bodies, contact);
    if (most < 0) continue;
    const double least = least_tolerance * contact.tolerance;
    contact.tolerance = std::min(contact.tolerance, std::max(least, share_of_fall * most * h * h));
  }
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    if (bodies[b].deforms) continue;
    const Nodes& nodes = bodies[b].nodes;
    resting_acceleration_[b] =
        pushed(nodes) + resting_acceleration_[b] / (h * h * total_mass(nodes));
  }
}

const Vec3* RigidContacts::free_speeds(std::span<Body> bodies, int body, const Substep& substep) {
  if (first_[body] < 0) {
    first_[body] = int(free_speed_.size());
    bodies[body].method->velocities_after(bodies[body].nodes, substep, after_);
    free_speed_.insert(free_speed_.end(), after_.begin(), after_.end());
  }
  return free_speed_.data() + first_[body];
}

double RigidContacts::goal(const Bounce& bounce, const Contact& contact, double h) const {
  double debt = energy_debt_[contact.a.body];
  if (contact.b.body >= 0) debt += energy_debt_[contact.b.body];
  const double separation_speed = std::max(0.0, bounce.separation_speed - 2 * h * debt);
  return std::max(bounce.least, bounce.gap + h * (separation_speed + bounce.approach));
}

// What a bounce does to the energy. The impulse p (times h, as all our impulses) changes the speed
// of the gap from -approach to separation, and moves the bodies by what that opens the gap; against
// the forces, whose acceleration of the gap is a, that is work:
//
//   gain = p/h (separation - approach)/2 - p a
//
// Of bodies at rest on others a counts what they are pressed by: they cannot fall back. So nothing
// is gained when separation = approach + 2 h a, and `approach` is the speed of approach, less what
// the forces gave in this substep: -h a.
void RigidContacts::set_goals(std::span<Body> bodies, const ContactRows& rows,
                              ContactList& contacts, const Substep& substep) {
  const double h = substep.h;
  bounces_.clear();
  free_speed_.clear();
  first_.assign(bodies.size(), -1);
  energy_debt_.assign(bodies.size(), 0);
  if (!any_) return;
  for (int r = 0; r < rows.contacts(); ++r) {
    Contact& contact = contacts[rows.contact[r]];
    if (contact.is_bond()) continue;
    const double most = most_pushed(bodies, contact);
    if (most < 0) continue;
    Vec3 before = contact.motion, free = Vec3::Zero(), speed = -contact.motion / h;
    for (int k = rows.start[r]; k < rows.start[r + 1]; ++k) {
      const Nodes& nodes = bodies[rows.body[rows.slot[k]]].nodes;
      const int i = rows.node[rows.slot[k]];
      before += rows.a[k] * nodes.previous[i];
      free += rows.a[k] * nodes.free[i];
      speed += rows.a[k] * nodes.velocity[i];
    }
    const Vec3& n = contact.normal;
    const double free_gap = n.dot(free - contact.point) - contact.thickness;
    if (free_gap >= 0) continue;
    const double gap = n.dot(before - contact.point) - contact.thickness;
    contact.goal = std::min(0.0, contact.goal);  // above: of a solve before this one
    if (gap < 0) {
      double scale = bodies[contact.a.body].contact_scale;
      if (contact.b.body >= 0) scale = std::min(scale, bodies[contact.b.body].contact_scale);
      contact.goal = std::min(0.0, gap + exit_speed * scale * h);
    }
    const double share = restitution(bodies, contact);
    if (share == 0 || -speed.dot(n) <= patience * most * h) continue;
    Vec3 free_speed = -contact.motion / h;
    for (int k = rows.start[r]; k < rows.start[r + 1]; ++k) {
      const int b = rows.body[rows.slot[k]];
      free_speed += rows.a[k] * free_speeds(bodies, b, substep)[rows.node[rows.slot[k]]];
    }
    double given = n.dot(pushed(bodies[contact.a.body].nodes));
    double resting = n.dot(resting_acceleration_[contact.a.body]);
    if (contact.b.body >= 0) {
      given -= n.dot(pushed(bodies[contact.b.body].nodes));
      resting -= n.dot(resting_acceleration_[contact.b.body]);
    }
    const double approach = -n.dot(free_speed);
    const double separation_speed = std::max(0.0, share * (approach + h * given) + h * resting);
    bounces_.push_back({rows.contact[r], contact.goal, free_gap, approach, separation_speed});
    contact.goal = goal(bounces_.back(), contact, h);
  }
}

/// What the body has, beyond what its nodes would have if the load only changed their velocities.
double RigidContacts::energy_of_turning(Body& body, int first, const Substep& substep) {
  const Nodes& nodes = body.nodes;
  body.method->velocities_after(nodes, substep, after_);
  double sum = 0;
  for (int i = 0; i < nodes.size(); ++i) {
    const Vec3 straight = free_speed_[first + i] + (nodes.position[i] - nodes.free[i]) / substep.h;
    sum += 0.5 * nodes.mass[i] * (after_[i].squaredNorm() - straight.squaredNorm());
  }
  return sum;
}

bool RigidContacts::keep_energy(std::span<Body> bodies, ContactList& contacts,
                                const Substep& substep) {
  if (bounces_.empty()) return false;
  bounce_impulse_.assign(bodies.size(), 0);
  for (const Bounce& bounce : bounces_) {
    const Contact& contact = contacts[bounce.contact];
    const double pressing = contact.impulse.dot(contact.normal);
    bounce_impulse_[contact.a.body] += pressing;
    if (contact.b.body >= 0) bounce_impulse_[contact.b.body] += pressing;
  }
  for (int b = 0; b < int(bodies.size()); ++b)
    if (bounce_impulse_[b] > 0)
      energy_debt_[b] = energy_of_turning(bodies[b], first_[b], substep) / bounce_impulse_[b];
  bool moved = false;
  for (const Bounce& bounce : bounces_) {
    Contact& contact = contacts[bounce.contact];
    const double asked = goal(bounce, contact, substep.h);
    moved = moved || std::abs(asked - contact.goal) > contact.tolerance;
    contact.goal = asked;
  }
  return moved;
}

}  // namespace pliant
