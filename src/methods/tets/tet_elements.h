#pragma once

#include <vector>

#include "geometry/mesh/tet_mesh.h"
#include "materials/hookean.h"

namespace pliant::tets {

/// The rest shapes of a body's tets; index = tet. Never changes after building.
struct TetElements {
  std::vector<Tet> nodes;
  std::vector<Mat3> inverse_rest;  // [1/m] B: F = [x1-x0, x2-x0, x3-x0] B
  std::vector<double> volume;      // [m^3] of material inside: rest volume times fill
  std::vector<double> length;      // [m] root mean square distance of the corners from the centre
  std::vector<NeoHookean> law;
  std::vector<Hookean> hookean;  // if not empty the tets follow these instead, and `law` is only
                                 // what they are like near rest
  std::vector<double> damping;   // [1/s] as the user means it

  int size() const { return int(nodes.size()); }

  /// `fill` is the share of the tet that is material. The tet must have positive volume.
  void add(const TetMesh& mesh, const Tet& tet, double fill, const NeoHookean& law, double damping);

  double energy(int i, const Mat3& F) const {  // [J]
    return volume[i] * (hookean.empty() ? law[i].energy(F) : hookean[i].energy(F));
  }
  Mat3 stress(int i, const Mat3& F) const {  // first Piola-Kirchhoff [Pa]
    return hookean.empty() ? law[i].stress(F) : hookean[i].stress(F);
  }
  Mat3 cauchy(int i, const Mat3& F) const {  // [Pa]
    return hookean.empty() ? law[i].cauchy(F) : hookean[i].cauchy(F);
  }
  double sideways(int i) const {
    return hookean.empty() ? law[i].sideways() : hookean[i].sideways();
  }
  double von_mises(int i, const Mat3& F) const {  // [Pa]
    return hookean.empty() ? law[i].von_mises(F) : hookean[i].von_mises(F);
  }
};

/// How the tet maps rest vectors to present ones.
inline Mat3 deformation(const Tet& nodes, const Mat3& inverse_rest,
                        const std::vector<Vec3>& position) {
  const Vec3& x0 = position[nodes[0]];
  Mat3 edges;
  edges << position[nodes[1]] - x0, position[nodes[2]] - x0, position[nodes[3]] - x0;
  return edges * inverse_rest;
}

inline Mat3 deformation(const TetElements& elements, int i, const std::vector<Vec3>& position) {
  return deformation(elements.nodes[i], elements.inverse_rest[i], position);
}

}  // namespace pliant::tets
