#pragma once

#include <vector>

namespace pliant {

struct Body;

/// What a method's adapt() did to the numbers of a body between two steps. Empty lists mean that
/// nothing got another number.
struct Changes {
  bool triangles = false;  // or vertices: what was found for the skin's topology is void
  bool weights = false;    // rows of Skin::weights

  std::vector<int> node = {};  // old -> new; -1 = gone
  std::vector<int> born_from =
      {};                          // of each node after the survivors: an old node beside it, or -1
  std::vector<int> vertex = {};    // old -> new; -1 = gone
  std::vector<int> triangle = {};  // new -> the old one that it is part of; -1 = of none

  bool any() const { return triangles || weights || !node.empty() || !vertex.empty(); }
};

/// Renumbers all that names nodes, vertices or triangles of the body and does not belong to its
/// method or skin: handles, loads, marks. A force stays whole: survivors share the part of vertices
/// that are gone. New nodes are accelerated as those beside them; none is held by a handle.
void follow(Body& body, const Changes& changes);

}  // namespace pliant
