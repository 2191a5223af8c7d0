#include "contact/contact_solver.h"

#include <algorithm>
#include <cmath>

#include "contact/collider_contacts/collider_features.h"
#include "contact/collider_contacts/collider_vertices.h"
#include "contact/data/contact_memory.h"
#include "contact/motion/displacement.h"
#include "contact/skin_contacts.h"
#include "contact/solve/contact_forces.h"
#include "contact/solve/contact_iteration.h"
#include "contact/solve/contact_rows.h"
#include "contact/solve/infeasible_contacts.h"
#include "contact/solve/rigid_contacts.h"
#include "core/assert.h"
#include "core/parallel.h"

namespace pliant {
namespace {

constexpr int most_rounds = 4;  // of solves until a bounce keeps its energy
constexpr int grain = 256;      // contacts, or nodes

}  // namespace

struct ContactSolver::Parts {
  void refresh(Body& body) const;
  void notice_moved(std::span<Body> bodies);
  SkinMotion follow(Body& body, int index) const;
  void show_solved(std::span<Body> bodies);
  void show_solved(Body& body) const;
  void let_go(std::span<Body> bodies);
  void remember_seen(std::span<Body> bodies);
  void forget_gone(std::span<const Body> bodies);
  void forget_changed_skins(std::span<const Body> bodies);
  void warm_start(double h);
  void clear_loads(std::span<Body> bodies) const;
  void put_aside();
  bool take_back(std::span<const Body> bodies);
  void remember(std::span<const Body> bodies, const ContactSettings& settings, double h);
  ContactReport report(const ContactIteration::Outcome& outcome) const;

  ColliderVertices walls;
  ColliderFeatures corners;
  SkinContacts skins;
  std::vector<SkinMotion> moved;        // per body
  std::vector<DisplacementBound> went;  // per body: before the step
  std::vector<double> travel;           // [m] per body: no vertex went further in this substep
  std::vector<char> is_current;  // per body: its skin is where its nodes are at a substep's end
  bool looks = false;            // there is something to touch
  ContactList contacts;
  ContactList aside;         // within reach, but left out of the solve
  std::vector<char> is_far;  // workspace: of contacts
  std::vector<Contact> bonds_found;
  ContactRows rows;
  RigidContacts stiff;
  ContactIteration iteration;
  ContactForces forces;

  // What the next substep starts from.
  ContactMemory memory;
  double memory_h = 0;        // [s] of the substep that left the memory
  std::vector<double> scale;  // per body, see ContactIteration
  std::vector<int> revision;  // per body, of the skin that the memory speaks of
};

ContactSolver::ContactSolver() : parts_(std::make_unique<Parts>()) {}
ContactSolver::~ContactSolver() = default;
ContactSolver::ContactSolver(ContactSolver&&) noexcept = default;
ContactSolver& ContactSolver::operator=(ContactSolver&&) noexcept = default;

const ContactList& ContactSolver::contacts() const { return parts_->contacts; }

Vec3 ContactSolver::force_on_collider(int index) const { return parts_->forces.on_collider(index); }

int ContactSolver::candidates() const {
  return parts_->walls.candidates() + parts_->corners.candidates() + parts_->skins.candidates();
}

void ContactSolver::find_candidates(std::span<Body> bodies, std::span<const Collider> colliders,
                                    double time, double dt) {
  for (Body& body : bodies) {
    body.skin.position.resize(body.skin.weights.rows());
    body.skin.refresh(body.nodes.position);
  }
  parts_->contacts.clear();  // those who found them may be others now
  parts_->notice_moved(bodies);
  parts_->is_current.assign(bodies.size(), 1);
  parts_->forces.start_step(bodies, int(colliders.size()));
  parts_->walls.find_candidates(bodies, colliders, settings, time, dt);
  parts_->skins.find_candidates(bodies, settings, dt, parts_->went);
  parts_->corners.find_candidates(bodies, colliders, parts_->skins.surfaces().topologies(),
                                  settings, time, dt);
  parts_->forget_gone(bodies);
}

/// Between steps: the last solve moved bodies, and so may anybody else have done. From here on they
/// are seen where they are.
void ContactSolver::Parts::notice_moved(std::span<Body> bodies) {
  went.resize(bodies.size());
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    Skin& skin = bodies[b].skin;
    const bool known =
        b < is_current.size() && is_current[b] && skin.seen.size() == skin.position.size();
    went[b] = known ? displacement_of(skin.position, skin.seen) : DisplacementBound::unbounded();
    skin.seen.clear();
  }
}

/// What the memory knows of bodies that are no more, or that others have taken the place of.
void ContactSolver::Parts::forget_gone(std::span<const Body> bodies) {
  const int count = int(bodies.size());
  for (int b = 0; b < count; ++b)
    if (skins.surfaces().is_replaced(b)) memory.forget(b);
  for (int b = count; b < int(revision.size()); ++b) memory.forget(b);
  if (int(revision.size()) > count) revision.resize(std::size_t(count));
}

void ContactSolver::Parts::forget_changed_skins(std::span<const Body> bodies) {
  scale.resize(bodies.size(), 1.0);
  for (std::size_t b = revision.size(); b < bodies.size(); ++b)
    revision.push_back(bodies[b].skin.revision);
  for (int b = 0; b < int(bodies.size()); ++b) {
    if (revision[b] == bodies[b].skin.revision) continue;
    memory.forget(b);  // its vertices have other numbers now
    revision[b] = bodies[b].skin.revision;
  }
}

void ContactSolver::Parts::warm_start(double h) {
  // A resting force leaves an impulse times h that grows with h^2; the factor is 1 unless the scene
  // changed its steps.
  const double ratio = memory_h > 0 ? h / memory_h : 1;
  const auto start = [&](Contact& contact, int known) {
    const Vec3 old = ratio * ratio * memory.impulse[known];
    if (contact.is_bond()) {
      contact.impulse = old;
      return;
    }
    const Vec3& normal = memory.normal[known];
    if (normal.dot(contact.normal) <= 0) return;
    const double pressing = old.dot(normal);
    const Vec3 tangential = old - pressing * normal;
    const Vec3 turned =
        pressing * contact.normal + tangential - tangential.dot(contact.normal) * contact.normal;
    contact.impulse = clamp_to_cone(turned, contact.normal, contact.friction);
  };
  parallel_for(int(contacts.size()), grain, [&](int begin, int end) {
    int known = memory.lower_bound(contacts[begin].key);
    for (int c = begin; c < end && known < memory.size(); ++c) {
      while (known < memory.size() && memory.key[known] < contacts[c].key) ++known;
      if (known < memory.size() && memory.key[known] == contacts[c].key) start(contacts[c], known);
    }
  });
}

/// Skin now and at the start of the substep.
void ContactSolver::Parts::refresh(Body& body) const {
  Skin& skin = body.skin;
  skin.position.resize(skin.weights.rows());
  skin.previous.resize(skin.weights.rows());
  skin.weights.gather(body.nodes.previous, skin.previous);
  skin.refresh(body.nodes.position);
}

/// How the body's skin moved. Whoever was near something in the last substep most likely is in this
/// one: its skin is refreshed at once, while its nodes are at hand. Of others the nodes tell.
SkinMotion ContactSolver::Parts::follow(Body& body, int index) const {
  if (!is_current[index]) {
    const Nodes& nodes = body.nodes;
    const DisplacementBound way = displacement_of(nodes.position, nodes.previous)
                                      .scaled_by(skins.surfaces().topology(index).spread);
    return {way, body.skin.seen.empty() ? way : DisplacementBound::unbounded()};
  }
  Skin& skin = body.skin;
  skin.previous.resize(skin.position.size());
  if (skin.position.empty()) return {};
  if (body.deforms) std::swap(skin.position, skin.previous);  // where the last substep ended
  else skin.weights.gather(body.nodes.previous, skin.previous);
  const auto [ways, since_detection, finite] =
      skin.weights.gather(body.nodes.position, skin.position, skin.previous, skin.last_seen());
  if (!finite) return {DisplacementBound::unbounded(), DisplacementBound::unbounded()};
  return {DisplacementBound::within(ways.low, ways.high),
          DisplacementBound::within(since_detection.low, since_detection.high)};
}

void ContactSolver::find_contacts(std::span<Body> bodies, std::span<const Collider> colliders,
                                  const Substep& substep) {
  parts_->contacts.clear();
  parts_->forget_changed_skins(bodies);
  parts_->looks = !colliders.empty() || !bonds.empty() || parts_->skins.meets();
  if (!parts_->looks) return;
  parts_->moved.resize(bodies.size());
  parts_->is_current.resize(bodies.size());
  parts_->travel.resize(bodies.size());
  parallel_for(int(bodies.size()), 1,
               [&](int b, int) { parts_->moved[b] = parts_->follow(bodies[b], b); });
  parts_->skins.follow(bodies, parts_->moved, substep.h);
  parallel_for(int(bodies.size()), 1, [&](int b, int) {
    const bool was_current = parts_->is_current[b];
    const double travel = parts_->moved[b].in_substep.max;
    const double went = parts_->moved[b].since_detection.max;
    parts_->travel[b] = travel;
    const bool clear_of_walls =
        parts_->walls.is_clear(b, bodies[b], colliders, settings, travel, went);
    const bool clear = parts_->corners.is_clear(b, travel, went) && clear_of_walls;
    const bool refreshes = !clear || !parts_->skins.is_clear(b) || parts_->skins.all_outran() ||
                           !bodies[b].skin.seen.empty();  // or it went nobody knows how far
    parts_->is_current[b] = refreshes;
    if (refreshes && !was_current) parts_->refresh(bodies[b]);
  });
  parts_->skins.renew_lists(bodies, settings, parts_->moved);
  parts_->walls.find(bodies, parts_->travel, colliders, settings, parts_->memory, substep,
                     parts_->contacts);
  parts_->corners.find(bodies, colliders, parts_->skins.surfaces().topologies(), settings,
                       parts_->memory, substep, parts_->contacts);
  parts_->skins.find(bodies, settings, parts_->memory, substep, parts_->contacts);
  bonds.drop_contacts(parts_->contacts);
  bonds.find(bodies, colliders, settings, substep, parts_->bonds_found);
  parts_->contacts.add(parts_->bonds_found);
  parts_->warm_start(substep.h);
}

/// Puts aside what will hardly come into touch: most of what is within reach. Whether it did is
/// seen after the solve, which is rare even where bodies are thrown at each other: then all of it
/// takes part in a second one.
void ContactSolver::Parts::put_aside() {
  constexpr double share_of_thickness = 0.1;
  is_far.resize(contacts.size());
  parallel_for(int(contacts.size()), grain, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      const Contact& c = contacts[i];
      // Whoever is behind a surface must be remembered to be, even if nothing is asked of it now.
      is_far[i] = c.gap > 0 && c.gap - c.goal > share_of_thickness * c.thickness && !c.is_bond() &&
                  c.impulse.isZero(0);
    }
  });
  aside.clear();
  auto goes = is_far.begin();
  contacts.drop([&](Contact& c) {
    if (*goes) aside.add(c);
    return *goes++;
  });
}

/// After a solve: takes back what was put aside, if any of it is now too near. True when so.
bool ContactSolver::Parts::take_back(std::span<const Body> bodies) {
  const auto point = [&](const Anchor& anchor) {
    return anchor.body < 0 ? Vec3(Vec3::Zero()) : anchor.point(bodies[anchor.body].skin.position);
  };
  const bool touched = parallel_any(int(aside.size()), grain, [&](int begin, int end) {
    bool any = false;
    for (int i = begin; i < end; ++i) {
      Contact& c = aside[i];
      c.gap = c.normal.dot(point(c.a) - point(c.b) - c.point) - c.thickness;
      any = any || c.goal - c.gap > c.tolerance;
    }
    return any;
  });
  if (!touched) return false;
  contacts.merge(aside);
  aside.clear();
  return true;
}

/// Of all nodes that the last solve touched: others have none.
void ContactSolver::Parts::clear_loads(std::span<Body> bodies) const {
  parallel_for(rows.slots(), grain, [&](int begin, int end) {
    for (int s = begin; s < end; ++s) {
      if (rows.body[s] >= int(bodies.size())) continue;  // it may be gone since
      std::vector<Vec3>& load = bodies[rows.body[s]].nodes.load;
      if (rows.node[s] < int(load.size())) load[rows.node[s]].setZero();
    }
  });
}

/// Brings the skins up to date that the solve moved, and keeps where they were seen.
void ContactSolver::Parts::show_solved(std::span<Body> bodies) {
  parallel_for(int(rows.bodies.size()), 1,
               [&](int k, int) { show_solved(bodies[rows.bodies[k]]); });
}

void ContactSolver::Parts::show_solved(Body& body) const {
  Skin& skin = body.skin;
  if (skin.seen.empty()) {  // this is the first solve of the substep
    skin.seen.swap(skin.position);
    skin.position.resize(skin.seen.size());
  }
  skin.refresh(body.nodes.position);
}

/// Bodies that solve for their motion begin a substep with the load of the last one. Where nothing
/// touches them any more, they answer that they have none.
void ContactSolver::Parts::let_go(std::span<Body> bodies) {
  parallel_for(int(bodies.size()), 1, [&](int b, int) {
    if (std::binary_search(rows.bodies.begin(), rows.bodies.end(), b)) return;
    const BodyCompliance* compliance = bodies[b].method->compliance();
    if (!compliance || compliance->answered == bodies[b].nodes.load) return;
    bodies[b].method->correct(bodies[b].nodes);
    show_solved(bodies[b]);
  });
}

/// At the end of a step: until the next one, anybody may move a body.
void ContactSolver::Parts::remember_seen(std::span<Body> bodies) {
  for (std::size_t b = 0; b < bodies.size(); ++b)
    if (is_current[b] && bodies[b].skin.seen.empty()) bodies[b].skin.seen = bodies[b].skin.position;
}

ContactReport ContactSolver::solve(std::span<Body> bodies, const Substep& substep) {
  parts_->clear_loads(bodies);
  parts_->is_current.resize(bodies.size());
  for (Body& body : bodies) body.skin.seen.clear();
  parts_->scale.resize(bodies.size(), 1.0);
  parts_->stiff.start(bodies, parts_->contacts, substep.h);
  relax_infeasible(bodies, parts_->skins.surfaces().topologies(), parts_->contacts);
  parts_->put_aside();
  ContactIteration::Outcome outcome;
  while (true) {
    parts_->rows.build(bodies, parts_->contacts);
    parts_->iteration.start(bodies, parts_->rows);
    parts_->stiff.set_goals(bodies, parts_->rows, parts_->contacts, substep);
    for (int round = 0; round < most_rounds; ++round) {
      const ContactIteration::Outcome found =
          parts_->iteration.solve(bodies, parts_->contacts, parts_->rows, parts_->scale, settings);
      outcome.iterations += found.iterations;
      outcome.converged = found.converged;
      if (!parts_->stiff.keep_energy(bodies, parts_->contacts, substep)) break;
    }
    parts_->let_go(bodies);
    parts_->show_solved(bodies);
    if (!outcome.converged && relax_self(parts_->contacts)) {
      parts_->iteration.go_back(bodies, parts_->rows);
      continue;
    }
    if (!parts_->take_back(bodies)) break;
    parts_->iteration.go_back(bodies, parts_->rows);
  }
  if (substep.last && parts_->looks) parts_->remember_seen(bodies);
  ContactReport report;
  parallel_for(3, 1, [&](int task, int) {
    if (task == 0) parts_->remember(bodies, settings, substep.h);
    else if (task == 1) parts_->forces.add(bodies, parts_->contacts, substep.h);
    else report = parts_->report(outcome);
  });
  bonds.tear(parts_->contacts, substep.h);
  return report;
}

void ContactSolver::Parts::remember(std::span<const Body> bodies, const ContactSettings& settings,
                                    double h) {
  memory.clear();
  memory_h = h;
  for (const Contact& contact : contacts) {
    const double margin = settings.side_margin * bodies[contact.a.body].size;
    Vec3 lift = Vec3::Zero();
    if (contact.key.kind == ContactKey::vertex_collider) lift = walls.lift(contact, margin);
    else if (contact.is_own()) lift = std::max(0.0, -contact.distance()) * contact.normal;
    // A bounce is over with its substep.
    const Vec3 impulse = contact.goal > 0 ? Vec3(Vec3::Zero()) : contact.impulse;
    if (impulse.isZero(0) && lift.isZero(0)) continue;
    memory.key.push_back(contact.key);
    memory.normal.push_back(contact.normal);
    memory.impulse.push_back(impulse);
    memory.lift.push_back(lift);
  }
}

ContactReport ContactSolver::Parts::report(const ContactIteration::Outcome& outcome) const {
  ContactReport report;
  report.iterations = outcome.iterations;
  report.converged = outcome.converged;
  for (const Contact& contact : contacts) {
    if (contact.is_bond()) continue;
    if (contact.gap < 0 || !contact.impulse.isZero(0)) ++report.contacts;
    report.max_penetration = std::max(report.max_penetration, -contact.distance());
  }
  return report;
}

void ContactSolver::renumber(const Body& body, int index, const Changes& changes) {
  if (index >= int(parts_->revision.size())) return;  // nothing is known of it
  parts_->memory.renumber(index, changes.vertex);
  parts_->revision[index] = body.skin.revision;
  parts_->skins.outdate(index);
}

void ContactSolver::archive(Archive& archive) {
  parts_->memory.archive(archive);
  archive.value("contact substep", parts_->memory_h);
  archive.array("contact scales", parts_->scale);
  archive.array("contact skins", parts_->revision);
  parts_->skins.archive(archive);
  bonds.archive(archive);
}

}  // namespace pliant
