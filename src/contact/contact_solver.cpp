#include "contact/contact_solver.h"

#include <algorithm>

#include "contact/stiff_contacts.h"
#include "contact/way.h"
#include "core/assert.h"
#include "core/parallel.h"

namespace pliant {

void ContactSolver::find_candidates(std::span<Body> bodies, std::span<const Collider> colliders,
                                    double time, double dt) {
  for (Body& body : bodies) {
    body.skin.position.resize(body.skin.weights.rows());
    body.skin.refresh(body.nodes.position);
  }
  colliders_.find_candidates(bodies, colliders, settings, time, dt);
  bodies_.find_candidates(bodies, settings, dt);
}

void ContactSolver::forget_changed_skins(std::span<const Body> bodies) {
  scale_.resize(bodies.size(), 1.0);
  for (std::size_t b = revision_.size(); b < bodies.size(); ++b)
    revision_.push_back(bodies[b].skin.revision);
  for (int b = 0; b < int(bodies.size()); ++b) {
    if (revision_[b] == bodies[b].skin.revision) continue;
    memory_.forget(b);  // its vertices have other numbers now
    revision_[b] = bodies[b].skin.revision;
  }
}

void ContactSolver::warm_start(double h) {
  // A resting force leaves an impulse times h that grows with h^2; the factor is 1 unless the scene
  // changed its steps.
  const double ratio = memory_h_ > 0 ? h / memory_h_ : 1;
  int known = 0;
  for (Contact& contact : contacts_) {
    while (known < memory_.size() && memory_.key[known] < contact.key) ++known;
    if (known == memory_.size()) return;
    if (memory_.key[known] != contact.key) continue;
    if (contact.is_bond()) {
      contact.impulse = ratio * ratio * memory_.impulse[known];
      continue;
    }
    const Vec3& normal = memory_.normal[known];
    if (normal.dot(contact.normal) <= 0) continue;
    const Vec3 old = ratio * ratio * memory_.impulse[known];
    const double pressing = old.dot(normal);
    const Vec3 tangential = old - pressing * normal;
    const Vec3 turned =
        pressing * contact.normal + tangential - tangential.dot(contact.normal) * contact.normal;
    contact.impulse = clamp_to_cone(turned, contact.normal, contact.friction);
  }
}

/// Skin now and at the start of the substep.
void ContactSolver::refresh(Body& body) const {
  Skin& skin = body.skin;
  skin.position.resize(skin.weights.rows());
  skin.previous.resize(skin.weights.rows());
  skin.weights.gather(body.nodes.previous, skin.previous);
  skin.refresh(body.nodes.position);
}

void ContactSolver::find_contacts(std::span<Body> bodies, std::span<const Collider> colliders,
                                  const Substep& substep) {
  const bool alone = bodies.size() == 1 && colliders.empty() && bodies_.candidates() == 0;
  for (int b = 0; b < int(bodies.size()); ++b) {
    Body& body = bodies[b];
    const double way = alone ? 0 : furthest(body.nodes.position, body.nodes.previous);
    const double travel = way * bodies_.spread(b);
    const bool from_colliders = colliders_.stays_clear(b, body, colliders, settings, travel);
    const bool from_bodies = bodies_.stays_clear(b, travel);
    if (!from_colliders || !from_bodies) refresh(body);
  }
  if (bodies_.outran(bodies)) {
    for (Body& body : bodies) refresh(body);
    bodies_.find_candidates_again(bodies, settings);
  }
  forget_changed_skins(bodies);
  contacts_.clear();
  colliders_.find(bodies, colliders, settings, memory_, substep, contacts_);
  bodies_.find(bodies, settings, memory_, substep, contacts_);
  bonds.drop_contacts(contacts_);
  bonds.find(bodies, colliders, settings, substep, contacts_);
  warm_start(substep.h);
}

ContactReport ContactSolver::solve(std::span<Body> bodies, const Substep& substep) {
  const auto clear_loads = [&] {
    for (const int b : rows_.bodies)
      if (b < int(bodies.size()))
        std::fill(bodies[b].nodes.load.begin(), bodies[b].nodes.load.end(), Vec3::Zero());
  };
  clear_loads();  // of the last substep
  rows_.build(bodies, contacts_);
  clear_loads();
  for (const int b : rows_.bodies) bodies[b].nodes.free = bodies[b].nodes.position;
  scale_.resize(bodies.size(), 1.0);
  sharpen(bodies, contacts_, substep.h);
  set_stiff_goals(bodies, rows_, contacts_, substep.h);
  const ContactIteration::Outcome outcome =
      iteration_.solve(bodies, contacts_, rows_, scale_, settings);
  for (const int b : rows_.bodies) bodies[b].skin.refresh(bodies[b].nodes.position);
  bonds.tear(contacts_, substep.h);
  remember(bodies, substep.h);
  return report(outcome);
}

void ContactSolver::remember(std::span<const Body> bodies, double h) {
  memory_.clear();
  memory_h_ = h;
  for (const Contact& contact : contacts_) {
    const double margin = settings.side_margin * bodies[contact.a.body].size;
    const bool collider = contact.key.kind == ContactKey::vertex_collider;
    const Vec3 lift = collider ? colliders_.lift(contact, margin) : Vec3(Vec3::Zero());
    // A bounce is over with its substep.
    const Vec3 impulse = contact.goal > 0 ? Vec3(Vec3::Zero()) : contact.impulse;
    if (impulse.isZero(0) && lift.isZero(0)) continue;
    memory_.key.push_back(contact.key);
    memory_.normal.push_back(contact.normal);
    memory_.impulse.push_back(impulse);
    memory_.lift.push_back(lift);
  }
}

ContactReport ContactSolver::report(const ContactIteration::Outcome& outcome) const {
  ContactReport report;
  report.iterations = outcome.iterations;
  report.converged = outcome.converged;
  for (const Contact& contact : contacts_) {
    if (contact.is_bond()) continue;
    if (contact.gap < 0 || !contact.impulse.isZero(0)) ++report.contacts;
    report.max_penetration = std::max(report.max_penetration, -(contact.gap + contact.thickness));
  }
  return report;
}

void ContactSolver::archive(Archive& archive) {
  memory_.archive(archive);
  archive.value("contact substep", memory_h_);
  archive.array("contact scales", scale_);
  archive.array("contact skins", revision_);
  bonds.archive(archive);
}

}  // namespace pliant
