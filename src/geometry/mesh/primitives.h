#pragma once

#include "geometry/mesh/triangle_mesh.h"

namespace pliant {

// Closed surfaces about the origin, facing outwards, with edges of about `edge` metres. Corners lie
// on the true shape, so volumes are a little small. InputError when `edge` asks for more than 20
// million triangles.

TriangleMesh box_mesh(const Vec3& size, double edge);
TriangleMesh sphere_mesh(double radius, double edge);
TriangleMesh cylinder_mesh(double radius, double height, double edge);  // along y
/// Along y; `length` is that of the straight part.
TriangleMesh capsule_mesh(double radius, double length, double edge);
/// Around y; `ring` is the radius of the centre line, `tube` that of the tube.
TriangleMesh torus_mesh(double ring, double tube, double edge);

}  // namespace pliant
