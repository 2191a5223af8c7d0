#pragma once

#include <Eigen/Core>

#include "methods/nurbs/paper/clusters.h"
#include "methods/nurbs/paper/samples.h"
#include "methods/nurbs/spread.h"

namespace pliant::nurbs::paper {

/// One polynomial per part that follows its control points, in stages: a translation shared by the
/// cluster, then a linear map, then quadratic terms of what is left. So flat parts, which could not
/// tell them apart, have all of them.
class Projection {
 public:
  /// `samples`: part by part. `pull`: see Settings.
  Projection(const std::vector<SurfaceSample>& samples, const Clusters& clusters, int order,
             double pull);

  /// Adds the row of a place as its parts move it, times a factor, with the gradient for weights
  /// that do not change.
  void add(const Vec3& place, const Blend& blend, double factor, Spread& sum) const;
  /// Adds how a part's cluster deforms a vector, linearly.
  void add_vector(int part, const Vec3& vector, double factor, Spread& sum) const;

 private:
  struct Cluster {
    Vec3 origin = Vec3::Zero();
    std::vector<int> node;  // rising: the columns of all matrices
    Eigen::RowVectorXd translation;
    Eigen::MatrixXd linear;  // [1/m] 3 rows
  };
  struct Part {
    int cluster = 0;
    double radius = 1;       // [m] terms are those of places over it
    Eigen::MatrixXd fitted;  // 3 or 9 rows
  };
  using Range = std::array<int, 2>;  // of samples

  /// False when its samples lie in one plane, so that they do not tell how the solid deforms.
  bool fit_cluster(const std::vector<int>& members, const std::vector<Range>& range,
                   const std::vector<SurfaceSample>& samples);
  void fit_part(const Range& range, const std::vector<SurfaceSample>& samples, double pull,
                Part& part) const;

  int order_;
  std::vector<Cluster> clusters_;
  std::vector<Part> parts_;
};

}  // namespace pliant::nurbs::paper
