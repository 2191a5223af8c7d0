#pragma once

#include <memory>
#include <vector>

#include "methods/shared/galerkin/law.h"
#include "methods/shared/galerkin/points.h"
#include "methods/shared/galerkin/quadratic_form.h"

namespace pliant::galerkin {

/// The elastic energy of a body, its forces and its stiffness, from quadrature points. Plain and in
/// double; sums have one order, whatever the number of threads.
class Elastic {
 public:
  /// `full_tangent`: with the turning of rotations, see Law::twist_stiffness. `form`: what the
  /// energy has besides the points'.
  Elastic(Points points, std::vector<Law> laws, int nodes, bool full_tangent = true,
          QuadraticForm form = {});

  /// State of all points for these positions of the nodes: F, rotation, stress.
  void update(const std::vector<Vec3>& x);

  // Of the last update.
  double energy() const;  // [J]
  /// +dV/dx [N]: what the body pulls with.
  void forces(std::vector<Vec3>& f) const;
  const Mat3& F(int point) const { return F_[point]; }
  const Mat3& rotation(int point) const { return R_[point]; }
  Mat9 tangent(int point) const;                                // times volume [Pa m^3]
  const Mat3& twist(int point) const { return twist_[point]; }  // kept, of corotated points
  const Law& law(int point) const { return laws_[points_.material[point]]; }

  /// Takes the tangents of the last update for what follows.
  void keep_tangents();
  /// y = K x, the judge of WideStiffness.
  void multiply(const std::vector<Vec3>& x, std::vector<Vec3>& y);
  /// The 3 x 3 blocks on the diagonal of K, twist stiffness left out: for preconditioners.
  void diagonal(std::vector<Mat3>& blocks) const;
  /// Adds row `node` of K to blocks[slot[b]] for each neighbour b >= node: the upper triangle.
  void add_upper_row(int node, const int* slot, Mat3* blocks) const;

  const Points& points() const { return points_; }
  const Incidence& incidence() const { return incidence_; }
  /// Empty for most methods; lives as long as somebody has it.
  const std::shared_ptr<const QuadraticForm>& form() const { return form_; }
  /// Pairs of nodes whose entry of K is not zero.
  Graph graph() const;
  int nodes() const { return int(incidence_.start.size()) - 1; }
  double volume() const;  // [m^3] at rest

 private:
  Mat3 turned_twist(int point) const { return R_[point] * twist_[point] * R_[point].transpose(); }
  void gather(const std::vector<Mat3>& per_point, std::vector<Vec3>& f) const;

  Points points_;
  std::vector<Law> laws_;
  Incidence incidence_;
  bool full_tangent_;
  std::shared_ptr<const QuadraticForm> form_;
  std::vector<Vec3> form_pull_;  // S x of the last update
  double form_energy_ = 0;
  std::vector<Mat3> F_, R_;
  std::vector<Mat3> pull_;      // stress times volume
  std::vector<Mat9> tangents_;  // times volume; only where a law is not corotated
  std::vector<Mat3> twist_;     // only where one is
  std::vector<Mat3> change_;    // of the stress times volume, in `multiply`
};

}  // namespace pliant::galerkin
