#include "world/world.h"

#include <algorithm>
#include <utility>

namespace pliant {

void World::update_ids() {
  body_ids_.update(bodies);
  collider_ids_.update(colliders);
  contact.update_places(bodies, colliders);
}

BodyId World::add(Body body) {
  body.id = {};
  bodies.push_back(std::move(body));
  update_ids();
  return bodies.back().id;
}

ColliderId World::add(Collider collider) {
  collider.id = {};
  colliders.push_back(std::move(collider));
  update_ids();
  return colliders.back().id;
}

bool World::remove(BodyId id) {
  update_ids();
  const int at = place_of(bodies, id);
  if (at < 0) return false;
  bodies.erase(bodies.begin() + at);
  update_ids();
  return true;
}

bool World::remove(ColliderId id) {
  update_ids();
  const int at = place_of(colliders, id);
  if (at < 0) return false;
  colliders.erase(colliders.begin() + at);
  update_ids();
  return true;
}

Body* World::find(BodyId id) {
  const int at = place_of(bodies, id);
  return at < 0 ? nullptr : &bodies[std::size_t(at)];
}

Collider* World::find(ColliderId id) {
  const int at = place_of(colliders, id);
  return at < 0 ? nullptr : &colliders[std::size_t(at)];
}

BondId World::tie(const Attachment& attachment) {
  update_ids();
  return contact.bonds.tie(attachment, bodies, colliders, time);
}

void World::archive(Archive& archive) {
  update_ids();  // what is saved goes by places
  archive.value("time", time);
  for (Body& body : bodies) body.archive(archive);
  contact.archive(archive);
  const bool has_blades = std::any_of(colliders.begin(), colliders.end(),
                                      [](const Collider& collider) { return collider.cuts; });
  if (has_blades) blades_.archive(archive, bodies, colliders);
  for (PlannedCut& planned : cuts) archive.value("cut", planned.state);
}

std::uint64_t state_hash(World& world) {
  Archive archive = Archive::hashing();
  world.archive(archive);
  return archive.hash();
}

StepAdvice advise_substeps(const World& world, double dt, int least, int most) {
  const bool touching = !world.colliders.empty() || world.bodies.size() > 1;
  int fewest = world.bodies.empty() ? least : 1;
  for (const Body& body : world.bodies) {
    const std::optional<int> own = body.method->advise(body.nodes, dt).least;
    fewest = std::max(fewest, own ? (touching ? *own : 1) : least);
  }
  StepAdvice chosen{fewest, "the least that contact and friction like"};
  for (const Body& body : world.bodies) {
    const StepAdvice advice = body.method->advise(body.nodes, dt);
    if (advice.substeps <= chosen.substeps) continue;
    chosen = {advice.substeps, advice.reason + " of \"" + body.name + "\""};
  }
  if (chosen.substeps > most)
    chosen = {most, "the most we take by ourselves; " + chosen.reason + " asks for " +
                        std::to_string(chosen.substeps)};
  return chosen;
}

}  // namespace pliant
