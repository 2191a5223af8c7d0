#pragma once

#include <span>
#include <vector>

#include "math/types.h"

namespace pliant {

/// Three shading normals per triangle, one per corner. Faces around a point that meet at less than
/// `crease` [degrees] share a normal, others keep an edge between them; in between there is a
/// gentle change, so that nothing jumps while a body bends. Points in the same place count as one
/// (files with seams), and so do neighbours of opposite orientation (broken files).
std::vector<Eigen::Vector3f> corner_normals(std::span<const Eigen::Vector3f> points,
                                            std::span<const Triangle> triangles, double crease);

}  // namespace pliant
