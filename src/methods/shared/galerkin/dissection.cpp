#include "methods/shared/galerkin/dissection.h"

#include <algorithm>

#include "core/assert.h"

namespace pliant::galerkin {
namespace {

class Cutter {
 public:
  Cutter(const Graph& graph, const std::vector<Vec3>& places, int leaf)
      : graph_(graph), places_(places), leaf_(leaf), side_(places.size(), 0) {}

  /// Orders `nodes` and returns the parts of them that have no parent yet.
  std::vector<int> run(const std::vector<int>& nodes);

  Dissection made;

 private:
  struct Cut {
    std::vector<int> low, high, between;
  };
  Cut cut(const std::vector<int>& nodes, int axis);
  int add_part(const std::vector<int>& nodes);

  const Graph& graph_;
  const std::vector<Vec3>& places_;
  const int leaf_;
  std::vector<char> side_;  // of the cut at hand: 1 low, 2 high, 0 not of these nodes
};

int Cutter::add_part(const std::vector<int>& nodes) {
  Dissection::Part part;
  part.begin = int(made.order.size());
  made.order.insert(made.order.end(), nodes.begin(), nodes.end());
  part.end = int(made.order.size());
  made.parts.push_back(part);
  return int(made.parts.size()) - 1;
}

Cutter::Cut Cutter::cut(const std::vector<int>& nodes, int axis) {
  std::vector<int> sorted = nodes;
  std::sort(sorted.begin(), sorted.end(), [&](int a, int b) {
    return std::pair(places_[a][axis], a) < std::pair(places_[b][axis], b);
  });
  // Through the widest gap near the middle: between two layers of a grid, not through one.
  const auto count = sorted.size();
  std::size_t at = count / 2;
  double widest = -1;
  for (std::size_t i = count * 2 / 5; i + 1 < count && i <= count * 3 / 5; ++i) {
    const double gap = places_[sorted[i + 1]][axis] - places_[sorted[i]][axis];
    if (gap > 1.01 * widest) {
      widest = gap;
      at = i + 1;
    }
  }
  for (std::size_t i = 0; i < count; ++i) side_[sorted[i]] = i < at ? 1 : 2;
  const auto sees_other_side = [&](int node) {
    for (int k = graph_.start[node]; k < graph_.start[node + 1]; ++k)
      if (side_[graph_.neighbour[k]] == 3 - side_[node]) return true;
    return false;
  };
  Cut halves[2];  // with the border of the low side between, or that of the high side
  for (const int node : nodes) {
    const bool low = side_[node] == 1, border = sees_other_side(node);
    for (int h = 0; h < 2; ++h) {
      Cut& half = halves[h];
      if (border && low == (h == 0)) half.between.push_back(node);
      else (low ? half.low : half.high).push_back(node);
    }
  }
  for (const int node : nodes) side_[node] = 0;
  return halves[0].between.size() <= halves[1].between.size() ? halves[0] : halves[1];
}

std::vector<int> Cutter::run(const std::vector<int>& nodes) {
  if (nodes.empty()) return {};
  if (int(nodes.size()) <= leaf_) return {add_part(nodes)};
  Cut best = cut(nodes, 0);
  for (int axis = 1; axis < 3; ++axis) {
    Cut other = cut(nodes, axis);
    const auto smaller = [](const Cut& c) { return std::min(c.low.size(), c.high.size()); };
    if (smaller(best) == 0 || (smaller(other) > 0 && other.between.size() < best.between.size()))
      best = std::move(other);
  }
  if (best.low.empty() || best.high.empty()) return {add_part(nodes)};  // everyone sees everyone
  std::vector<int> roots = run(best.low);
  for (const int root : run(best.high)) roots.push_back(root);
  if (best.between.empty()) return roots;
  const int part = add_part(best.between);
  for (const int root : roots) made.parts[root].parent = part;
  return {part};
}

}  // namespace

Dissection dissect(const Graph& graph, const std::vector<Vec3>& places, int leaf) {
  ASSERT(graph.start.size() == places.size() + 1, "one place per node");
  std::vector<int> all(places.size());
  for (std::size_t n = 0; n < all.size(); ++n) all[n] = int(n);
  Cutter cutter(graph, places, leaf);
  cutter.run(all);
  return std::move(cutter.made);
}

}  // namespace pliant::galerkin
