#pragma once

#include <array>
#include <memory>

#include "methods/shared/galerkin/elastic.h"
#include "methods/shared/galerkin/grips.h"
#include "methods/shared/galerkin/scalar_factor.h"

namespace pliant::galerkin {

/// Inverse of A = mass + factor K of the body at rest, K with all its 3 x 3 blocks, seen from a
/// frame that turns with the body: what a body does under a load, exactly where it is stiff and
/// nearly where it is bent. Serves as preconditioner, where nearly incompressible bodies need few
/// iterations whatever nu is, and as the compliance that contact is solved with.
///
/// K does not feel rigid motion, and next to it floats do not feel the mass of a stiff body: so the
/// six rigid motions are answered apart, and the factor answers the deformation.
class RestFactor {
 public:
  /// `rest`: where the nodes are at rest.
  RestFactor(const Elastic& elastic, std::vector<Vec3> rest);

  /// Makes the factor anew if anything it depends on is not what it was. False: floats cannot hold
  /// this matrix.
  bool prepare(const std::vector<double>& mass, double factor, const std::vector<char>& held,
               const Grips* grips, double grip_factor);

  /// x = A^-1 b.
  void apply(const std::vector<Vec3>& b, std::vector<Vec3>& x);

  /// A^-1 for unit loads on one node along x, y and z: answer[node] has them as columns.
  void column(int node, std::vector<Mat3>& answer);

  std::size_t size() const { return factor_->size(); }  // numbers of the factor
  int made() const { return made_; }                    // how often it was made anew

 private:
  struct Key {
    std::vector<double> mass;
    double factor = 0, grip_factor = 0;
    std::vector<char> held;
    std::vector<int> grip_start, grip_node;
    std::vector<double> grip_weight, grip_stiffness;
    bool operator==(const Key&) const = default;
  };
  void add_grips(const Grips& grips, double factor);
  void find_rigid_motions();
  using Rigid = Eigen::Matrix<double, 6, 1>;

  std::vector<Vec3> rest_;
  Graph graph_;                // of unknowns: three a node
  std::vector<double> entry_;  // of K, from the diagonal on
  std::unique_ptr<ScalarFactor> factor_;
  Key key_, wanted_;
  bool good_ = false;
  int made_ = 0;
  std::vector<double> with_grips_, diagonal_;
  std::vector<char> left_out_;

  /// Per node: the six rigid motions as columns, orthonormal by mass. None where something is held.
  std::vector<Eigen::Matrix<double, 3, 6>> rigid_;
  std::vector<double> right_, solved_;
  std::vector<Vec3> rights_, solveds_;
};

}  // namespace pliant::galerkin
