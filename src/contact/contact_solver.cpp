#include "contact/contact_solver.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

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
constexpr int unknown_revision = std::numeric_limits<int>::min();

}  // namespace

struct ContactSolver::Parts {
  ContactFrame frame(std::span<const Body> bodies, std::span<const Collider> colliders,
                     const ContactSettings& settings, const Substep& substep);
  void refresh(Body& body) const;
  void notice_moved(std::span<Body> bodies);
  SkinMotion follow(Body& body, int index) const;
  void show_solved(std::span<Body> bodies);
  void show_solved(Body& body) const;
  void let_go(std::span<Body> bodies);
  void remember_detected(std::span<Body> bodies);
  void forget_gone(std::span<const Body> bodies);
  void forget_changed_skins(std::span<const Body> bodies);
  void warm_start(double h);
  void clear_loads(std::span<Body> bodies);
  void renumber(const Renumbering& bodies);
  void defer_separated();
  bool reinstate_deferred(std::span<const Body> bodies);
  void remember(std::span<const Body> bodies, const ContactSettings& settings, double h);
  ContactReport report(const ContactIteration::Outcome& outcome) const;

  ContactSurfaces surfaces;
  ColliderVertices collider_vertices;
  ColliderFeatures collider_features;
  SkinContacts skins;
  std::vector<SkinMotion> motion;  // per body
  std::vector<char> is_current;    // per body: its skin is where its nodes are at a substep's end
  bool any_finder = false;         // there is something to touch
  ContactList contacts;
  ContactList deferred;      // within reach, but left out of the solve
  std::vector<char> is_far;  // workspace: of contacts
  std::vector<Contact> bonds_found;
  ContactRows rows;
  RigidContacts rigid;
  ContactIteration iteration;
  ContactForces forces;

  double step = 0;  // [s]

  // What the next substep starts from.
  ContactMemory memory;
  double memory_h = 0;        // [s] of the substep that left the memory
  std::vector<double> scale;  // per body, see ContactIteration
  std::vector<int> revision;  // per body, of the skin that the memory speaks of

  // By place, when places were last updated.
  std::vector<BodyId> body_ids;
  std::vector<ColliderId> collider_ids;
  bool clears_all = false;  // loads, as places changed since the last solve
};

ContactSolver::ContactSolver() : parts_(std::make_unique<Parts>()) {}
ContactSolver::~ContactSolver() = default;
ContactSolver::ContactSolver(ContactSolver&&) noexcept = default;
ContactSolver& ContactSolver::operator=(ContactSolver&&) noexcept = default;

const ContactList& ContactSolver::contacts() const { return parts_->contacts; }

Vec3 ContactSolver::force_on_collider(int index) const { return parts_->forces.on_collider(index); }

int ContactSolver::candidates() const {
  return parts_->collider_vertices.candidates() + parts_->collider_features.candidates() +
         parts_->skins.candidates();
}

ContactFrame ContactSolver::Parts::frame(std::span<const Body> bodies,
                                         std::span<const Collider> colliders,
                                         const ContactSettings& settings, const Substep& substep) {
  return {bodies, colliders, settings, memory, surfaces, motion, substep, step};
}

void ContactSolver::update_places(std::span<const Body> bodies,
                                  std::span<const Collider> colliders) {
  const auto update = [](auto& ids, auto items) {
    const auto has_id = [](const auto& id, const auto& item) { return id == item.id; };
    if (std::equal(ids.begin(), ids.end(), items.begin(), items.end(), has_id))
      return Renumbering{{}, int(items.size())};  // mostly
    Renumbering result = renumbering(ids, items);
    ids.resize(items.size());
    for (std::size_t i = 0; i < items.size(); ++i) ids[i] = items[i].id;
    return result;
  };
  const Renumbering of_bodies = update(parts_->body_ids, bodies);
  const Renumbering of_colliders = update(parts_->collider_ids, colliders);
  const bool moved = !of_bodies.is_identity() || !of_colliders.is_identity();
  if (moved) {
    bonds.renumber(of_bodies, of_colliders);
    parts_->renumber(of_bodies);
  }
  const Renumbering of_bonds = bonds.take_renumbering();
  if (moved || !of_bonds.is_identity()) parts_->memory.renumber(of_bodies, of_colliders, of_bonds);
}

void ContactSolver::Parts::renumber(const Renumbering& bodies) {
  contacts.clear();  // they name bodies by their old places
  deferred.clear();
  forces = {};
  rows = {};
  clears_all = true;
  surfaces.renumber(bodies);
  skins.renumber(bodies);
  is_current.clear();
  bodies.apply(scale);
  bodies.apply(revision);
  for (int b = 0; b < bodies.count; ++b)
    if (std::find(bodies.place.begin(), bodies.place.end(), b) == bodies.place.end())
      scale[b] = 1.0, revision[b] = unknown_revision;
}

void ContactSolver::find_candidates(std::span<Body> bodies, std::span<const Collider> colliders,
                                    double time, double dt) {
  for (Body& body : bodies) {
    body.skin.position.resize(body.skin.weights.rows());
    body.skin.refresh(body.nodes.position);
  }
  parts_->contacts.clear();  // their finders may be others now
  update_places(bodies, colliders);
  parts_->notice_moved(bodies);
  parts_->is_current.assign(bodies.size(), 1);
  parts_->forces.start_step(bodies, int(colliders.size()));
  parts_->step = dt;
  const ContactFrame frame = parts_->frame(bodies, colliders, settings, {0, time});
  parts_->skins.start_step(frame);  // first, as it prepares the surfaces
  parts_->collider_vertices.start_step(frame);
  parts_->collider_features.start_step(frame);
  parts_->forget_gone(bodies);
}

/// Between steps: the last solve moved bodies, and so may the user have done.
void ContactSolver::Parts::notice_moved(std::span<Body> bodies) {
  motion.assign(bodies.size(), {});
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    Skin& skin = bodies[b].skin;
    const bool known =
        b < is_current.size() && is_current[b] && skin.at_detection.size() == skin.position.size();
    motion[b].since_detection =
        known ? displacement_of(skin.position, skin.at_detection) : DisplacementBound::unbounded();
    skin.at_detection.clear();
  }
}

/// What the memory knows of bodies that are no more, or that others have taken the place of.
void ContactSolver::Parts::forget_gone(std::span<const Body> bodies) {
  const int count = int(bodies.size());
  for (int b = 0; b < count; ++b)
    if (surfaces.is_replaced(b)) memory.forget(b);
  for (int b = count; b < int(revision.size()); ++b) memory.forget(b);
  if (int(revision.size()) > count) revision.resize(std::size_t(count));
}

void ContactSolver::Parts::forget_changed_skins(std::span<const Body> bodies) {
  scale.resize(bodies.size(), 1.0);
  for (std::size_t b = revision.size(); b < bodies.size(); ++b)
    revision.push_back(bodies[b].skin.revision);
  for (int b = 0; b < int(bodies.size()); ++b) {
    if (revision[b] == bodies[b].skin.revision) continue;
    if (revision[b] != unknown_revision) memory.forget(b);  // its vertices have other numbers now
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

/// How the body's skin moved. A body that was near something in the last substep most likely is in
/// this one: its skin is refreshed at once, while its nodes are in the cache. Of others the nodes
/// give a bound.
SkinMotion ContactSolver::Parts::follow(Body& body, int index) const {
  if (!is_current[index]) {
    const Nodes& nodes = body.nodes;
    const DisplacementBound in_substep = displacement_of(nodes.position, nodes.previous)
                                             .scaled_by(surfaces.topology(index).weight_norm);
    return {in_substep,
            body.skin.at_detection.empty() ? in_substep : DisplacementBound::unbounded()};
  }
  Skin& skin = body.skin;
  skin.previous.resize(skin.position.size());
  if (skin.position.empty()) return {};
  if (body.deforms) std::swap(skin.position, skin.previous);  // where the last substep ended
  else skin.weights.gather(body.nodes.previous, skin.previous);
  const auto [in_substep, since_detection, finite] =
      skin.weights.gather(body.nodes.position, skin.position, skin.previous, skin.last_detection());
  if (!finite) return {DisplacementBound::unbounded(), DisplacementBound::unbounded()};
  return {DisplacementBound::within(in_substep.low, in_substep.high),
          DisplacementBound::within(since_detection.low, since_detection.high)};
}

void ContactSolver::find_contacts(std::span<Body> bodies, std::span<const Collider> colliders,
                                  const Substep& substep) {
  parts_->contacts.clear();
  parts_->forget_changed_skins(bodies);
  parts_->any_finder = !colliders.empty() || !bonds.empty() || parts_->skins.meets();
  if (!parts_->any_finder) return;
  parts_->motion.resize(bodies.size());
  parts_->is_current.resize(bodies.size());
  parallel_for(int(bodies.size()), 1,
               [&](int b, int) { parts_->motion[b] = parts_->follow(bodies[b], b); });
  ColliderVertices& vertices = parts_->collider_vertices;
  ColliderFeatures& features = parts_->collider_features;
  SkinContacts& skins = parts_->skins;
  const ContactFrame frame = parts_->frame(bodies, colliders, settings, substep);
  skins.follow(frame);
  vertices.follow(frame);
  features.follow(frame);
  parallel_for(int(bodies.size()), 1, [&](int b, int) {
    const bool was_current = parts_->is_current[b];
    const bool is_clear = vertices.is_clear(b) && features.is_clear(b) && skins.is_clear(b);
    const bool refreshes = !is_clear || skins.needs_all_skins() ||
                           !bodies[b].skin.at_detection.empty();  // or how far it moved is unknown
    parts_->is_current[b] = refreshes;
    if (refreshes && !was_current) parts_->refresh(bodies[b]);
  });
  skins.refresh(frame);
  vertices.refresh(frame);
  features.refresh(frame);
  vertices.find(frame, parts_->contacts);  // in the order of their keys
  features.find(frame, parts_->contacts);
  skins.find(frame, parts_->contacts);
  bonds.drop_contacts(parts_->contacts);
  bonds.find(bodies, colliders, settings, substep, parts_->bonds_found);
  parts_->contacts.add(parts_->bonds_found);
  parts_->warm_start(substep.h);
}

/// Puts deferred what will hardly come into touch: most of what is within reach. Whether it did is
/// seen after the solve, which is rare even where bodies are thrown at each other: then all of it
/// takes part in a second one.
void ContactSolver::Parts::defer_separated() {
  constexpr double share_of_thickness = 0.1;
  is_far.resize(contacts.size());
  parallel_for(int(contacts.size()), grain, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      const Contact& c = contacts[i];
      // A vertex behind a surface must be remembered there, even if it need not move now.
      is_far[i] = c.gap > 0 && c.gap - c.goal > share_of_thickness * c.thickness && !c.is_bond() &&
                  c.impulse.isZero(0);
    }
  });
  deferred.clear();
  auto goes = is_far.begin();
  contacts.drop([&](Contact& c) {
    if (*goes) deferred.add(c);
    return *goes++;
  });
}

/// After a solve: takes back what was put deferred, if any of it is now too near. True when so.
bool ContactSolver::Parts::reinstate_deferred(std::span<const Body> bodies) {
  const auto point = [&](const Anchor& anchor) {
    return anchor.body < 0 ? Vec3(Vec3::Zero()) : anchor.point(bodies[anchor.body].skin.position);
  };
  const bool touched = parallel_any(int(deferred.size()), grain, [&](int begin, int end) {
    bool any = false;
    for (int i = begin; i < end; ++i) {
      Contact& c = deferred[i];
      c.gap = c.normal.dot(point(c.a) - point(c.b) - c.point) - c.thickness;
      any = any || c.goal - c.gap > c.tolerance;
    }
    return any;
  });
  if (!touched) return false;
  contacts.merge(deferred);
  deferred.clear();
  return true;
}

/// Of all nodes that the last solve touched: others have none.
void ContactSolver::Parts::clear_loads(std::span<Body> bodies) {
  if (std::exchange(clears_all, false))
    for (Body& body : bodies) body.nodes.load.assign(body.nodes.load.size(), Vec3::Zero());
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
  if (skin.at_detection.empty()) {  // this is the first solve of the substep
    skin.at_detection.swap(skin.position);
    skin.position.resize(skin.at_detection.size());
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

/// At the end of a step: until the next one, bodies may be moved from outside.
void ContactSolver::Parts::remember_detected(std::span<Body> bodies) {
  for (std::size_t b = 0; b < bodies.size(); ++b)
    if (is_current[b] && bodies[b].skin.at_detection.empty())
      bodies[b].skin.at_detection = bodies[b].skin.position;
}

ContactReport ContactSolver::solve(std::span<Body> bodies, const Substep& substep) {
  parts_->clear_loads(bodies);
  parts_->is_current.resize(bodies.size());
  for (Body& body : bodies) body.skin.at_detection.clear();
  parts_->scale.resize(bodies.size(), 1.0);
  parts_->rigid.start(bodies, parts_->contacts, substep.h);
  relax_infeasible(bodies, parts_->surfaces.topologies(), parts_->contacts);
  parts_->defer_separated();
  ContactIteration::Outcome outcome;
  while (true) {
    parts_->rows.build(bodies, parts_->contacts);
    parts_->iteration.start(bodies, parts_->rows);
    parts_->rigid.set_goals(bodies, parts_->rows, parts_->contacts, substep);
    for (int round = 0; round < most_rounds; ++round) {
      const ContactIteration::Outcome found =
          parts_->iteration.solve(bodies, parts_->contacts, parts_->rows, parts_->scale, settings);
      outcome.iterations += found.iterations;
      outcome.converged = found.converged;
      if (!parts_->rigid.keep_energy(bodies, parts_->contacts, substep)) break;
    }
    parts_->let_go(bodies);
    parts_->show_solved(bodies);
    if (!outcome.converged && relax_self(parts_->contacts)) {
      parts_->iteration.go_back(bodies, parts_->rows);
      continue;
    }
    if (!parts_->reinstate_deferred(bodies)) break;
    parts_->iteration.go_back(bodies, parts_->rows);
  }
  if (substep.last && parts_->any_finder) parts_->remember_detected(bodies);
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
    const double margin = settings.side_margin * bodies[contact.a.body].contact_scale;
    Vec3 lift = Vec3::Zero();
    if (contact.key.kind == ContactKey::vertex_collider)
      lift = collider_vertices.lift(contact, margin);
    else if (contact.is_self()) lift = std::max(0.0, -contact.distance()) * contact.normal;
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
  parts_->memory.renumber_vertices(index, changes.vertex);
  parts_->revision[index] = body.skin.revision;
  parts_->surfaces.outdate(index);
}

void ContactSolver::archive(Archive& archive) {
  if (!archive.is_loading()) {  // contacts of bonds are saved by the places that these have now
    const Renumbering of_bonds = bonds.take_renumbering();
    const Renumbering same{{}, std::numeric_limits<int>::max()};
    if (!of_bonds.is_identity()) parts_->memory.renumber(same, same, of_bonds);
  }
  parts_->memory.archive(archive);
  archive.value("contact substep", parts_->memory_h);
  archive.array("contact scales", parts_->scale);
  archive.array("contact skins", parts_->revision);
  parts_->skins.archive(archive);
  bonds.archive(archive);
}

}  // namespace pliant
