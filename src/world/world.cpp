#include "world/world.h"

#include <algorithm>

namespace pliant {

void World::archive(Archive& archive) {
  archive.value("time", time);
  for (Body& body : bodies) body.archive(archive);
  contact.archive(archive);
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
