#pragma once

#include <vector>

#include "methods/shared/galerkin/points.h"

namespace pliant::galerkin {

/// An order of the nodes of a graph in which a Cholesky factor stays small: nested dissection.
/// Space is cut in two, again and again; of the two sides those nodes that see the other side come
/// after both.
///
///   a a a|s s|b b b      order: a a a b b b s s      parts: a, b (parent s), s
struct Dissection {
  struct Part {
    int begin = 0, end = 0;  // into `order`
    int parent = -1;         // comes later; -1 = none
  };
  std::vector<int> order;  // nodes
  std::vector<Part> parts;
};

/// `places` say where nodes are, roughly; parts of at most `leaf` nodes are not cut.
Dissection dissect(const Graph& graph, const std::vector<Vec3>& places, int leaf);

}  // namespace pliant::galerkin
