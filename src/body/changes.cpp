#include "body/changes.h"

#include <algorithm>

#include "body/body.h"
#include "body/built_place.h"
#include "core/assert.h"

namespace pliant {
namespace {

/// Keeps the entries whose number lives on; `beside` are arrays that go along.
template <class... Beside>
void renumber(const std::vector<int>& map, std::vector<int>& numbers, Beside&... beside) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    ASSERT(std::size_t(numbers[i]) < map.size(), "a number of the body before the change");
    const int now = map[numbers[i]];
    if (now < 0) continue;
    numbers[kept] = now;
    ((beside[kept] = beside[i]), ...);
    ++kept;
  }
  numbers.resize(kept);
  (beside.resize(kept), ...);
}

void share_anew(std::vector<double>& share) {
  double sum = 0;
  for (const double part : share) sum += part;
  for (double& part : share) part /= sum;
}

/// Triangles made of chosen ones.
std::vector<int> descendants(const std::vector<int>& chosen, const std::vector<int>& source) {
  std::vector<int> sorted = chosen, found;
  std::sort(sorted.begin(), sorted.end());
  for (int t = 0; t < int(source.size()); ++t)
    if (std::binary_search(sorted.begin(), sorted.end(), source[t])) found.push_back(t);
  return found;
}

void follow_nodes(const Changes& changes, Load& load) {
  std::vector<int> born;
  const int survivors =
      int(changes.node.size()) - int(std::count(changes.node.begin(), changes.node.end(), -1));
  std::vector<int> sorted = load.nodes;
  std::sort(sorted.begin(), sorted.end());
  for (int k = 0; k < int(changes.born_from.size()); ++k)
    if (std::binary_search(sorted.begin(), sorted.end(), changes.born_from[k]))
      born.push_back(survivors + k);
  renumber(changes.node, load.nodes);
  load.nodes.insert(load.nodes.end(), born.begin(), born.end());
}

}  // namespace

void follow(Body& body, const Changes& changes) {
  for (Handle& handle : body.handles) {
    if (!changes.node.empty()) renumber(changes.node, handle.nodes, handle.rest);
    if (!changes.vertex.empty()) renumber(changes.vertex, handle.vertices, handle.vertex_rest);
  }
  for (Load& load : body.loads) {
    if (!changes.node.empty()) follow_nodes(changes, load);
    if (!changes.vertex.empty() && !load.vertices.empty()) {
      renumber(changes.vertex, load.vertices, load.share);
      share_anew(load.share);
    }
    if (!changes.triangle.empty()) load.triangles = descendants(load.triangles, changes.triangle);
  }
  for (Mark& mark : body.marks) {
    if (changes.vertex.empty()) continue;
    mark.vertex = changes.vertex[mark.vertex];
    if (mark.vertex >= 0) continue;
    // Its vertex is gone: the nearest survivor by the place at rest.
    double nearest = std::numeric_limits<double>::infinity();
    for (int v = 0; v < int(body.skin.rest.size()); ++v) {
      const double distance = (built_place(body.skin, v) - mark.rest).squaredNorm();
      if (distance < nearest) nearest = distance, mark.vertex = v;
    }
  }
}

}  // namespace pliant
