#pragma once

#include <string>

#include "geometry/query/bvh.h"

namespace pliant {

/// The space that is nearer to a named group of a surface than to the rest of it: what of a solid
/// goes with some of its faces. At the same distance the lower triangle decides.
class NearGroup {
 public:
  /// Throws InputError (no file) for a group that the surface does not have.
  NearGroup(const TriangleMesh& surface, const std::string& group);
  NearGroup(const TriangleMesh& surface, const std::vector<int>& triangles);
  bool contains(const Vec3& place) const;

 private:
  TriangleMesh surface_;
  Bvh tree_;
  std::vector<char> is_chosen_;  // per triangle
};

/// Of all groups of that name; throws InputError (no file) that lists those there are.
std::vector<int> triangles_of_group(const std::string& name,
                                    const std::vector<TriangleMesh::Group>& groups);

}  // namespace pliant
