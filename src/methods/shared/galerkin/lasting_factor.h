#pragma once

#include <memory>

#include "methods/shared/galerkin/elastic.h"
#include "methods/shared/galerkin/grips.h"
#include "methods/shared/galerkin/scalar_factor.h"

namespace pliant::galerkin {

/// Preconditioner of mass + factor K: the body as if each direction moved for itself,
///   mass + factor L,   L_ab = sum over points of volume * shear modulus * gradient_a . gradient_b,
/// which is the trace of the blocks of a corotated K but for a number, however its points are
/// turned. So one factor lasts until the step length or what is held changes. It knows the quick,
/// alternating motions that broad functions hardly feel as well as the slow ones. What it leaves to
/// conjugate gradients is the ratio of the moduli, not the number of nodes.
class LastingFactor {
 public:
  explicit LastingFactor(const Elastic& elastic);

  /// Makes the factor anew where it has to be. False: floats cannot hold this matrix.
  bool prepare(const std::vector<double>& mass, double factor, const std::vector<char>& held,
               const Grips* grips, double grip_factor);

  /// The next prepare() makes the factor anew, for benchmarks.
  void forget() { made_ = false; }

  /// x = P b.
  void apply(const std::vector<Vec3>& b, std::vector<Vec3>& x) { factor_.solve(b, x); }
  /// y += scale L x.
  void add_product(const std::vector<Vec3>& x, double scale, std::vector<Vec3>& y) const;
  int made() const { return times_made_; }  // how often it was made anew

  std::size_t size() const { return factor_.size(); }  // numbers of the factor
  double trace() const { return trace_; }              // [N/m] of L

 private:
  /// All that the factor depends on. Step lengths count by powers of two only: a preconditioner
  /// that is off by less is as good, and the factor at hand never depends on earlier steps.
  struct Key {
    bool moves = false;
    int inertia = 0, grip_factor = 0;  // powers of two
    std::vector<double> mass;          // share of the whole
    std::vector<char> held;
    std::vector<int> grip_start, grip_node;
    std::vector<double> grip_weight, grip_stiffness;
    bool operator==(const Key&) const = default;
  };
  void add_grips(const Key& key, double factor);

  Graph graph_;
  double trace_ = 0;
  std::vector<double> entry_;  // of L, from the diagonal on
  std::vector<double> diagonal_;
  std::vector<double> with_grips_;
  ScalarFactor factor_;
  Key key_, wanted_;
  bool made_ = false, good_ = false;
  int times_made_ = 0;
};

}  // namespace pliant::galerkin
