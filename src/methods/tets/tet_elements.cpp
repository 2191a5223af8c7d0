#include "methods/tets/tet_elements.h"

#include <Eigen/LU>
#include <cmath>

#include "core/assert.h"

namespace pliant::tets {

void TetElements::add(const TetMesh& mesh, const Tet& tet, double fill, const NeoHookean& of,
                      double rate) {
  const Vec3& x0 = mesh.points[tet[0]];
  Mat3 edges;
  edges << mesh.points[tet[1]] - x0, mesh.points[tet[2]] - x0, mesh.points[tet[3]] - x0;
  const double rest_volume = edges.determinant() / 6;
  ASSERT(rest_volume > 0, "a tet must have positive volume");
  ASSERT(fill > 0 && fill <= 1, "fill is a share");

  const Vec3 centre = edges.rowwise().sum() / 4;  // seen from x0
  double squares = centre.squaredNorm();
  for (int k = 0; k < 3; ++k) squares += (edges.col(k) - centre).squaredNorm();

  nodes.push_back(tet);
  inverse_rest.push_back(edges.inverse());
  volume.push_back(rest_volume * fill);
  length.push_back(std::sqrt(squares / 4));
  law.push_back(of);
  damping.push_back(rate);
}

}  // namespace pliant::tets
