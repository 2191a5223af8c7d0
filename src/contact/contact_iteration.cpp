#include "contact/contact_iteration.h"

#include <algorithm>
#include <cmath>

#include "core/parallel.h"

namespace pliant {
namespace {

constexpr int grain = 512;

/// Bonds between grids that do not match ask for more than their nodes can do; impulses would grow
/// against each other without end. Giving way by this share of what an impulse moves keeps them
/// small: a hanging weight then sags by some g h^2.
constexpr double slack = 0.05;

/// A contact most of whose nodes are held asks the others for a multiple of its own way, without
/// end as their shares go to zero. Below this share of free nodes it gives way instead.
constexpr double least_free_share = 0.25;

}  // namespace

void ContactIteration::prepare(std::span<const Body> bodies, const std::vector<Contact>& contacts,
                               const ContactRows& rows) {
  const int count = int(contacts.size()), slots = rows.slots();
  direct_.assign(bodies.size(), 0);
  for (const int b : rows.bodies) direct_[b] = bodies[b].method->moves_by_mobility();
  accepted_.resize(count);
  next_.resize(count);
  before_.resize(count);
  give_.resize(count);
  error_.assign(count, 0);
  turn_.assign(count, 0);
  position_.resize(slots);
  load_.assign(slots, Vec3::Zero());
  bound_.resize(slots);
  moved_.assign(slots, 0);
  allowed_.assign(slots, 0);
  for (int s = 0; s < slots; ++s) {
    const Nodes& nodes = bodies[rows.body[s]].nodes;
    position_[s] = nodes.free[rows.node[s]];
    double sum = 0;
    for (int k = rows.slot_start[s]; k < rows.slot_start[s + 1]; ++k)
      sum += std::abs(rows.contact_a[k]);
    bound_[s] = nodes.mobility[rows.node[s]] * sum;
  }
  for (int c = 0; c < count; ++c) {
    before_[c] = contacts[c].motion;
    double free = 0;
    for (int k = rows.start[c]; k < rows.start[c + 1]; ++k) {
      const int s = rows.slot[k];
      before_[c] += rows.a[k] * bodies[rows.body[s]].nodes.previous[rows.node[s]];
      if (bound_[s] > 0) free += std::abs(rows.a[k]);
    }
    give_[c] = contacts[c].yield;
    if (free > 0 && free < least_free_share)
      give_[c] += least_free_share * least_free_share / (free * free) - 1;
    accepted_[c] = contacts[c].impulse;
  }
}

/// One answer per contact, each as if it were alone with its share of the nodes' mobility. True
/// when the present impulses and positions already solve the problem.
bool ContactIteration::answer(std::vector<Contact>& contacts, const ContactRows& rows,
                              const std::vector<double>& scale) {
  const int count = int(contacts.size());
  parallel_for(count, grain, [&](int begin, int end) {
    for (int c = begin; c < end; ++c) {
      Contact& contact = contacts[c];
      const Vec3& n = contact.normal;
      Vec3 x = Vec3::Zero();
      double w = 0;
      for (int k = rows.start[c]; k < rows.start[c + 1]; ++k) {
        const int s = rows.slot[k];
        x += rows.a[k] * position_[s];
        w += std::abs(rows.a[k]) * scale[rows.body[s]] * bound_[s];
      }
      contact.gap = contact.is_bond() ? -(x - contact.point).norm()
                                      : n.dot(x - contact.point) - contact.thickness;
      if (w == 0) {  // all nodes held: nothing can be done about it
        next_[c] = Vec3::Zero();
        error_[c] = turn_[c] = 0;
        continue;
      }
      const Vec3& y = contact.impulse;
      if (contact.is_bond()) {
        const double give = contact.give + (slack + give_[c]) * w;
        const Vec3 off = x - contact.point + give * y;
        error_[c] = off.norm() / contact.tolerance;
        next_[c] = y - off / (w + give);
        turn_[c] = (y - next_[c]).dot(next_[c] - accepted_[c]);
        continue;
      }
      const double pressing = y.dot(n);
      const Vec3 tangential = y - pressing * n;
      const Vec3 way = x - before_[c];
      const Vec3 slip = way - way.dot(n) * n;

      const double give = give_[c] * w;
      const double off = contact.gap - contact.goal + give * pressing;
      double error = pressing > 0 ? std::abs(off) : std::max(0.0, -off);
      if (tangential.norm() < 0.999 * contact.friction * pressing)
        error = std::max(error, slip.norm());
      error_[c] = error / contact.tolerance;

      const double new_pressing = std::max(0.0, pressing - off / (w + give));
      Vec3 q = tangential - slip / (w + give);
      const double size = q.norm(), most = contact.friction * new_pressing;
      if (size > most) q *= most / size;
      next_[c] = new_pressing * n + q;
      turn_[c] = (y - next_[c]).dot(next_[c] - accepted_[c]);
    }
  });
  return std::all_of(error_.begin(), error_.end(), [](double error) { return error < 1; });
}

void ContactIteration::accelerate(std::vector<Contact>& contacts, bool last) {
  double turn = 0;
  for (const double term : turn_) turn += term;
  double push = 0;
  if (turn > 0) {
    theta_ = 1;
  } else {
    const double larger = 0.5 * (1 + std::sqrt(1 + 4 * theta_ * theta_));
    push = (theta_ - 1) / larger;
    theta_ = larger;
  }
  if (last) push = 0;
  parallel_for(int(contacts.size()), grain, [&](int begin, int end) {
    for (int c = begin; c < end; ++c) {
      Contact& contact = contacts[c];
      contact.impulse = next_[c];
      if (push > 0) {
        const Vec3 further = next_[c] + push * (next_[c] - accepted_[c]);
        contact.impulse =
            contact.is_bond() ? further : clamp_to_cone(further, contact.normal, contact.friction);
      }
      accepted_[c] = next_[c];
    }
  });
}

/// Gathers the impulses into loads and lets the bodies respond; keeps how far each touched node
/// moved for it.
void ContactIteration::load(std::span<Body> bodies, const std::vector<Contact>& contacts,
                            const ContactRows& rows) {
  const int slots = rows.slots();
  parallel_for(slots, grain, [&](int begin, int end) {
    for (int s = begin; s < end; ++s) {
      Vec3 sum = Vec3::Zero();
      for (int k = rows.slot_start[s]; k < rows.slot_start[s + 1]; ++k)
        sum += rows.contact_a[k] * contacts[rows.contact[k]].impulse;
      Nodes& nodes = bodies[rows.body[s]].nodes;
      const int i = rows.node[s];
      nodes.load[i] = sum;
      // The default answer, at the touched nodes only: the others need not be moved before the end.
      if (direct_[rows.body[s]]) position_[s] = nodes.free[i] + nodes.mobility[i] * sum;
    }
  });
  parallel_for(int(rows.bodies.size()), 1, [&](int k, int) {
    Body& body = bodies[rows.bodies[k]];
    if (direct_[rows.bodies[k]]) return;
    body.method->respond(body.nodes);
    for (int s = rows.body_start[k]; s < rows.body_start[k + 1]; ++s) {
      const int i = rows.node[s];
      const Vec3 more = body.nodes.load[i] - load_[s];
      moved_[s] = more.dot(body.nodes.position[i] - position_[s]);
      allowed_[s] = body.nodes.mobility[i] * more.squaredNorm();
      position_[s] = body.nodes.position[i];
      load_[s] = body.nodes.load[i];
    }
  });
}

/// Raises the scale of bodies that moved further than it foresaw. True when one did.
bool ContactIteration::measure(const ContactRows& rows, std::vector<double>& scale) {
  bool grew = false;
  for (std::size_t k = 0; k < rows.bodies.size(); ++k) {
    const int b = rows.bodies[k];
    if (direct_[b]) continue;
    double moved = 0, allowed = 0;
    for (int s = rows.body_start[k]; s < rows.body_start[k + 1]; ++s) {
      moved += moved_[s];
      allowed += allowed_[s];
    }
    if (allowed <= 0) continue;
    const double seen = std::min(1.0, 1.2 * moved / allowed);
    if (seen <= scale[b]) continue;
    scale[b] = seen;
    grew = true;
  }
  return grew;
}

ContactIteration::Outcome ContactIteration::solve(std::span<Body> bodies,
                                                  std::vector<Contact>& contacts,
                                                  const ContactRows& rows,
                                                  std::vector<double>& scale,
                                                  const ContactSettings& settings) {
  if (contacts.empty()) return {};
  prepare(bodies, contacts, rows);
  theta_ = 1;
  for (const int b : rows.bodies) scale[b] = direct_[b] ? 1 : std::max(0.02, 0.7 * scale[b]);

  bool idle = true;
  for (const Contact& c : contacts) idle = idle && c.impulse.isZero(0) && c.gap >= c.goal;
  bool rigid = false, costly = false;
  for (const int b : rows.bodies) {
    rigid = rigid || !bodies[b].deforms;
    costly = costly || (bodies[b].deforms && !direct_[b]);
  }
  const int most = rigid && !costly ? settings.most_iterations_of_rigid : settings.most_iterations;
  Outcome outcome;
  if (!idle) {
    load(bodies, contacts, rows);
    measure(rows, scale);
    while (true) {
      const bool solved = answer(contacts, rows, scale);
      if (solved && outcome.iterations >= settings.least_iterations) break;
      if (outcome.iterations == most) {
        outcome.converged = false;
        break;
      }
      ++outcome.iterations;
      accelerate(contacts, outcome.iterations == most);
      load(bodies, contacts, rows);
      if (measure(rows, scale)) theta_ = 1;
    }
  }
  for (const int b : rows.bodies)
    if (direct_[b]) bodies[b].method->respond(bodies[b].nodes);
  return outcome;
}

}  // namespace pliant
