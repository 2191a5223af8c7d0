#pragma once

#include "body/body.h"
#include "geometry/mesh/tet_mesh.h"

namespace pliant {

/// The boundary faces; only points of the boundary become vertices, each moving with its own node.
Skin boundary_skin(const TetMesh& mesh);

/// A surface whose points are weighted sums of nodes.
Skin embedded_skin(const TriangleMesh& surface, const Weights& weights);

/// The skin of a new body, at rest; the body's extent, size and the gap it keeps follow from it.
void put_on(Body& body, Skin skin);

}  // namespace pliant
