#include "contact/solve/infeasible_contacts.h"

#include <algorithm>
#include <cmath>

#include "core/assert.h"
#include "core/parallel.h"

namespace pliant {
namespace {

constexpr double mostly_free = 0.9;  // share of a point's weights
constexpr double most_stretch =
    2;  // of skin edges round a contact that may still push with all its strength

constexpr double far_off = 0.2;  // of the thickness: contacts that are less off keep surfaces apart

/// [m] The error of a contact after a solve: too near, or pressing and apart.
double error(const Contact& c) {
  const double off = c.gap - c.goal;
  return c.impulse.isZero(0) ? std::max(0.0, -off) : std::abs(off);
}

/// Which share of the point is carried by nodes that can move.
double free_share(std::span<const Body> bodies, const Anchor& anchor) {
  if (anchor.body < 0) return 0;
  const Nodes& nodes = bodies[anchor.body].nodes;
  const Weights& weights = bodies[anchor.body].skin.weights;
  double sum = 0;
  for (int c = 0; c < anchor.count; ++c)
    weights.for_each(anchor.vertex[c], [&](int node, double weight) {
      if (nodes.mobility[node] > 0) sum += anchor.share[c] * std::abs(weight);
    });
  return sum;
}

/// Of the longest edge round the point against its length at rest, squared.
double squared_stretch(std::span<const Body> bodies, std::span<const SkinTopology> topologies,
                       const Anchor& anchor) {
  if (anchor.body < 0) return 0;
  const Skin& skin = bodies[anchor.body].skin;
  const SkinTopology& topology = topologies[anchor.body];
  double most = 0;
  for (int c = 0; c < anchor.count; ++c) {
    const int v = anchor.vertex[c];
    for (int k = topology.ring_start[v]; k < topology.ring_start[v + 1]; ++k) {
      const Triangle& t = skin.triangles[topology.ring[k]];
      for (int side = 0; side < 3; ++side) {
        const int i = t[side], j = t[(side + 1) % 3];
        most = std::max(most, (skin.previous[i] - skin.previous[j]).squaredNorm() /
                                  (skin.rest[i] - skin.rest[j]).squaredNorm());
      }
    }
  }
  return most;
}

}  // namespace

void relax_infeasible(std::span<const Body> bodies, std::span<const SkinTopology> topologies,
                      ContactList& contacts) {
  ASSERT(topologies.size() == bodies.size(), "topologies are of these bodies");
  // A negative goal: nearer before the substep than one substep can mend. Folds of one body, which
  // are often nearer than contact wants, must overlap.
  const auto is_deep = [](const Contact& c) {
    return !c.is_bond() && c.goal < (c.is_self() ? -c.thickness : 0.0);
  };
  constexpr int grain = 256;
  const bool any =
      parallel_any_of(int(contacts.size()), grain, [&](int i) { return is_deep(contacts[i]); });
  if (!any) return;  // mostly
  contacts.drop([&](const Contact& c) {
    return is_deep(c) && free_share(bodies, c.a) < mostly_free &&
           free_share(bodies, c.b) < mostly_free;
  });
  constexpr double most = most_stretch * most_stretch;
  for (Contact& c : contacts) {
    if (!is_deep(c) || !bodies[c.a.body].deforms) continue;
    const double stretch = std::max(squared_stretch(bodies, topologies, c.a),
                                    squared_stretch(bodies, topologies, c.b));
    if (stretch > most) c.relaxation = stretch * stretch / (most * most) - 1;
  }
}

bool relax_self(ContactList& contacts) {
  std::vector<int> infeasible;  // bodies
  for (const Contact& c : contacts)
    if (c.is_self() && c.relaxation == 0 && error(c) > far_off * c.thickness &&
        std::find(infeasible.begin(), infeasible.end(), c.a.body) == infeasible.end())
      infeasible.push_back(c.a.body);
  if (infeasible.empty()) return false;
  for (Contact& c : contacts) {
    if (!c.is_self() ||
        std::find(infeasible.begin(), infeasible.end(), c.a.body) == infeasible.end())
      continue;
    c.relaxation += 1;
    c.impulse.setZero();
  }
  return true;
}

}  // namespace pliant
