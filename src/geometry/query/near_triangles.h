#pragma once

#include "core/function_ref.h"
#include "geometry/query/bvh.h"

namespace pliant {

/// Calls `visit(i, j)` for the pairs of triangles of a mesh whose boxes overlap, in parallel over
/// `i`; for one `i`, the `j` come in rising order until it returns false.
void visit_near_triangles(const TriangleMesh& mesh, const Bvh& bvh,
                          FunctionRef<bool(int i, int j)> visit);

}  // namespace pliant
