#include "contact/surface/contact_surfaces.h"

#include <algorithm>
#include <utility>

#include "core/assert.h"
#include "core/parallel.h"

namespace pliant {

void ContactSurfaces::prepare(std::span<const Body> bodies, Touches touch) {
  const std::size_t count = bodies.size();
  id_.resize(count);
  topology_.resize(count);
  tree_.resize(count);
  ridges_.resize(count);
  creases_.resize(count);
  old_ridges_.resize(count);
  bent_.resize(count);
  is_new_.assign(count, 0);
  is_replaced_.assign(count, 0);
  box_.resize(count);
  asks_all_.assign(count, 0);
  parallel_for(int(count), 1, [&](int b, int) {
    const Skin& skin = bodies[b].skin;
    if (id_[b] != bodies[b].id || !topology_[b].is_of(skin)) {
      is_replaced_[b] = topology_[b].revision >= 0;
      id_[b] = bodies[b].id;
      topology_[b].build(skin);
      tree_[b].build(skin);
      is_new_[b] = 1;
    } else if (topology_[b].weights_revision != skin.weights_revision) {
      topology_[b].measure_weight_norm(skin);
    }
    if (touch == Touches::colliders) return;
    place(bodies[b], b);
    find_ridges(bodies[b], b);
  });
}

void ContactSurfaces::renumber(const Renumbering& bodies) {
  bodies.apply(id_);
  bodies.apply(topology_);
  bodies.apply(tree_);
  bodies.apply(box_);
  bodies.apply(creases_);
  bodies.apply(ridges_);
  bodies.apply(old_ridges_);
  bodies.apply(bent_);
  bodies.apply(is_new_);
  bodies.apply(is_replaced_);
  bodies.apply(asks_all_);
}

void ContactSurfaces::forget_new() { std::fill(is_new_.begin(), is_new_.end(), 0); }

void ContactSurfaces::place(const Body& body, int index) {
  ASSERT(index >= 0 && index < count(), "surfaces are prepared for all bodies");
  box_[index] = bounds(body.skin.position);
}

void ContactSurfaces::refit_asked(std::span<const Body> bodies) {
  ASSERT(int(bodies.size()) == count(), "surfaces are prepared for all bodies");
  parallel_for(int(bodies.size()), 1, [&](int b, int) {
    if (asks_all_[b]) tree_[b].refit(bodies[b].skin);
    else tree_[b].refit_named(bodies[b].skin);
  });
  std::fill(asks_all_.begin(), asks_all_.end(), 0);
}

void ContactSurfaces::find_ridges(const Body& body, int b) {
  std::swap(ridges_[b], old_ridges_[b]);
  creases_[b].find(body.skin, topology_[b]);
  ridges_[b].take(topology_[b], tree_[b],
                  [&](int e) { return creases_[b].of_edge[e] != Crease::flat; });

  // Which parts have others than in the step before.
  const std::span<const SkinTree::Node> parts = tree_[b].nodes();
  bent_[b].assign(parts.size(), 0);
  if (old_ridges_[b].leaves() != ridges_[b].leaves()) return;
  for (int n = int(parts.size()) - 1; n >= 0; --n) {
    const int left = parts[n].left, leaf = parts[n].leaf;
    bent_[b][n] = left >= 0 ? bent_[b][left] || bent_[b][left + 1]
                            : !ridges_[b].is_same(leaf, old_ridges_[b]);
  }
}

}  // namespace pliant
