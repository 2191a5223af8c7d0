#include "contact/stiff_contacts.h"

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

/// Slower than what gravity does in so many substeps nothing bounces, or it would never rest.
constexpr double patience = 4;

constexpr double exit_speed = 0.1;  // [1/s] sizes per second at which overlap is undone
constexpr double share_of_fall = 0.1;
constexpr double least_tolerance = 0.01;  // of the usual one: there may be no gravity

double restitution(std::span<const Body> bodies, const Contact& contact) {
  const double own = bodies[contact.a.body].restitution;
  return contact.b.body < 0 ? own : std::sqrt(own * bodies[contact.b.body].restitution);
}

/// [m/s^2] of the whole body, without contact.
double acceleration(const Nodes& nodes) {
  Vec3 force = Vec3::Zero();
  for (const Vec3& f : nodes.force) force += f;
  return force.norm() / total_mass(nodes);
}

/// [m/s^2] of the faster of the two; negative where one of them deforms.
double acceleration(std::span<const Body> bodies, const Contact& contact) {
  double most = -1;
  for (const Anchor* side : {&contact.a, &contact.b}) {
    if (side->body < 0) continue;
    if (bodies[side->body].deforms) return -1;
    most = std::max(most, acceleration(bodies[side->body].nodes));
  }
  return most;
}

}  // namespace

void sharpen(std::span<const Body> bodies, std::vector<Contact>& contacts, double h) {
  for (Contact& contact : contacts) {
    const double usual = acceleration(bodies, contact);
    if (usual < 0) continue;
    const double least = least_tolerance * contact.tolerance;
    contact.tolerance = std::min(contact.tolerance, std::max(least, share_of_fall * usual * h * h));
  }
}

void set_stiff_goals(std::span<const Body> bodies, const ContactRows& rows,
                     std::vector<Contact>& contacts, double h) {
  for (int r = 0; r < rows.contacts(); ++r) {
    Contact& contact = contacts[rows.contact[r]];
    if (contact.is_bond() || contact.gap >= 0) continue;
    const double usual = acceleration(bodies, contact);
    if (usual < 0) continue;
    Vec3 before = contact.motion, speed = -contact.motion / h;
    for (int k = rows.start[r]; k < rows.start[r + 1]; ++k) {
      const Nodes& nodes = bodies[rows.body[rows.slot[k]]].nodes;
      const int i = rows.node[rows.slot[k]];
      before += rows.a[k] * nodes.previous[i];
      speed += rows.a[k] * nodes.velocity[i];
    }
    const double gap = contact.normal.dot(before - contact.point) - contact.thickness;
    if (gap < 0) {
      double size = bodies[contact.a.body].size;
      if (contact.b.body >= 0) size = std::min(size, bodies[contact.b.body].size);
      contact.goal = std::min(0.0, gap + exit_speed * size * h);
    }
    const double approach = -speed.dot(contact.normal);
    if (approach <= patience * usual * h) continue;
    const double back = restitution(bodies, contact);
    if (back > 0) contact.goal = std::max(contact.goal, gap + back * approach * h);
  }
}

}  // namespace pliant
