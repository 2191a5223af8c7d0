#include "core/assert.h"
#include "world/world.h"

namespace pliant {

bool World::cut(BodyId id, const Cut& cut) {
  ASSERT(cut.normal.norm() > 0, "a plane looks somewhere");
  update_ids();
  const int at = place_of(bodies, id);
  if (at < 0 || !bodies[std::size_t(at)].method->can_be_cut()) return false;
  Body& body = bodies[std::size_t(at)];
  const Changes changes = body.method->cut(body.nodes, body.skin, cut);
  take_over(body, changes);
  if (changes.triangles) contact.renumber(body, at, changes);
  return changes.any();
}

void World::make_due_cuts() {
  for (PlannedCut& planned : cuts) {
    // The time of a frame is a sum of steps: a hair before a round number, now and then.
    if (planned.state != PlannedCut::waiting || planned.time > time * (1 + 1e-9) + 1e-12) continue;
    planned.state = cut(planned.body, planned.cut) ? PlannedCut::made : PlannedCut::missed;
  }
}

/// Whatever names nodes, vertices or triangles of the body goes along.
void World::take_over(Body& body, const Changes& changes) {
  if (!changes.any()) return;
  ASSERT(!body.drawn, "a skin that changes is touched as it is");
  follow(body, changes);
  if (changes.weights) ++body.skin.weights_revision;
  if (changes.triangles) {
    ++body.skin.revision;
    body.touched = {};  // of vertices that are no more
  }
  body.refresh_skins();
}

}  // namespace pliant
