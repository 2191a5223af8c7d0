#pragma once

#include <string>
#include <vector>

#include "math/types.h"

namespace pliant {

/// Triangles over shared points, as read or made; nothing is promised about holes or orientation.
struct TriangleMesh {
  std::vector<Vec3> points;         // [m]
  std::vector<Triangle> triangles;  // anticlockwise seen from outside

  /// Named sets of triangles (OBJ "g" and "o" lines); a triangle may be in several.
  struct Group {
    std::string name;
    std::vector<int> triangles;
  };
  std::vector<Group> groups;

  const Group* group(const std::string& name) const;
};

/// Enclosed volume [m^3] by the divergence theorem; negative when the triangles face inwards. For
/// open meshes: the volume of the cone over the surface from its centre.
double volume(const TriangleMesh& mesh);
double area(const TriangleMesh& mesh);
Vec3 area_vector(const TriangleMesh& mesh, int triangle);  // normal times area [m^2]

}  // namespace pliant
