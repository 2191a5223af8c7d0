#pragma once

#include "body/body.h"
#include "geometry/mesh/tet_mesh.h"

namespace pliant {

/// The boundary faces; only points of the boundary become vertices, each moving with its own node.
Skin boundary_skin(const TetMesh& mesh);

/// A surface whose points are weighted sums of nodes.
Skin embedded_skin(const TriangleMesh& surface, const Weights& weights);

/// How fine a body's contact surface is.
struct ContactDetail {
  double spacing = 0;  // [m] of the nodes; 0 = what is drawn is touched
  double detail = 1;   // as asked for: edges are so many times shorter than by default
};

/// The skin of a new body, at rest; the body's extent, contact scale and the gap it keeps follow
/// from it. Where it is finer than the nodes, contact touches a coarser one, made of some of its
/// vertices.
void set_skin(Body& body, Skin skin, const ContactDetail& detail = {});

}  // namespace pliant
