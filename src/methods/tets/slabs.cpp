#include "methods/tets/slabs.h"

#include <algorithm>
#include <numeric>

#include "methods/shared/coloring.h"

namespace pliant::tets {
namespace {

/// Whether no node belongs to slabs that are not next to each other.
bool are_apart(const Slabs& slabs, std::span<const int> corners, int width, int nodes) {
  std::vector<int> first(std::size_t(nodes), -1);  // slab that a node was met in
  for (int slab = 0; slab < slabs.size(); ++slab)
    for (const int e : slabs.elements(slab))
      for (const int node :
           corners.subspan(std::size_t(e) * std::size_t(width), std::size_t(width))) {
        if (first[node] < 0) first[node] = slab;
        if (slab - first[node] > 1) return false;
      }
  return true;
}

std::vector<int> order_by(const std::vector<double>& key) {
  std::vector<int> order(key.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return key[a] < key[b]; });
  return order;
}

/// Of each element, the mean of its nodes' numbers.
std::vector<double> numbers_of(std::span<const int> corners, int width) {
  std::vector<double> key(corners.size() / std::size_t(width), 0);
  for (std::size_t i = 0; i < corners.size(); ++i)
    key[i / std::size_t(width)] += double(corners[i]) / width;
  return key;
}

/// Of each element, where it is along the longest side of the body.
std::vector<double> places_of(std::span<const Vec3> centres) {
  Box box;
  for (const Vec3& p : centres) box.add(p);
  int axis = 0;
  box.extent().maxCoeff(&axis);
  std::vector<double> key;
  for (const Vec3& p : centres) key.push_back(p[axis]);
  return key;
}

void cut(std::int64_t elements, int count, Slabs& slabs) {
  slabs.start.clear();
  for (int slab = 0; slab <= count; ++slab) slabs.start.push_back(int(elements * slab / count));
}

}  // namespace

Slabs cut_into_slabs(std::span<const int> corners, int width, std::span<const Vec3> centres,
                     int nodes, int count) {
  const std::int64_t elements = std::int64_t(centres.size());
  count -= count % 4;
  Slabs slabs;
  slabs.order = order_by(numbers_of(corners, width));
  if (count >= 4) cut(elements, count, slabs);
  if (count >= 4 && !are_apart(slabs, corners, width, nodes)) {
    slabs.order = order_by(places_of(centres));
    for (; count >= 4; count = count * 3 / 16 * 4) {
      cut(elements, count, slabs);
      if (are_apart(slabs, corners, width, nodes)) break;
    }
  }
  if (count < 4) slabs.start = {0, int(elements)};
  for (int slab = 0; slab < slabs.size(); ++slab) {
    const std::span<const int> own = slabs.elements(slab);
    std::vector<int> sorted(own.begin(), own.end());
    std::sort(sorted.begin(), sorted.end());  // so that equal places are in the order of elements
    std::vector<Vec3> places;
    for (const int e : sorted) places.push_back(centres[e]);
    int to = slabs.start[slab];
    for (const int i : order_by_place(places)) slabs.order[to++] = sorted[i];
  }
  return slabs;
}

}  // namespace pliant::tets
