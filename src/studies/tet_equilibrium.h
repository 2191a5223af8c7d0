#pragma once

#include "geometry/mesh/tet_mesh.h"
#include "materials/neo_hookean.h"
#include "math/newton.h"

namespace pliant {

/// The same body as `tets` simulates, as one big energy for Newton's method: the reference our
/// position-based answers are measured against. Held nodes stay where the positions passed in have
/// them.
class TetEnergy : public Objective {
 public:
  TetEnergy(const TetMesh& rest, const NeoHookean& law, const std::vector<char>& held);

  /// Adds gravity [m/s^2] on lumped masses of this density.
  void set_weight(double density, const Vec3& gravity);
  /// Adds inertia towards `predicted`: backward Euler with steps of h.
  void set_inertia(double density, double h, const std::vector<Vec3>& predicted);

  VecX unknowns(const std::vector<Vec3>& positions);  // also remembers where held nodes are
  void positions(const VecX& x, std::vector<Vec3>& positions) const;

  double value(const VecX& x) const override;
  void gradient(const VecX& x, VecX& g) const override;
  void hessian(const VecX& x, SparseMatrix& H) const override;

  double elastic_energy(const std::vector<Vec3>& positions) const;

 private:
  Mat3 deformation(const std::vector<Vec3>& p, int tet) const;
  void lay_out(Eigen::Index size, SparseMatrix& H) const;
  template <class Work>
  void for_each_pair(const Work& work) const;

  std::vector<Tet> tets_;
  std::vector<Eigen::Matrix<double, 9, 12>> to_F_;  // vec(F) = to_F * corners
  std::vector<double> volume_;
  NeoHookean law_;
  std::vector<int> unknown_;        // per node: its number among the free ones, -1 = held
  std::vector<double> mass_share_;  // [m^3] lumped volume per node
  double density_ = 0;
  Vec3 gravity_ = Vec3::Zero();
  double inertia_ = 0;  // density / h^2
  std::vector<Vec3> predicted_;
  mutable std::vector<Vec3> now_;   // scratch: all nodes
  mutable SparseMatrix pattern_;    // of the Hessian
  mutable std::vector<int> place_;  // [tet][12][12] among its values; -1 = none
};

/// Moves free nodes to the minimum of the energy.
NewtonReport find_equilibrium(TetEnergy& energy, std::vector<Vec3>& positions,
                              const NewtonSettings& settings = {});

}  // namespace pliant
