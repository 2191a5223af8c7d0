#pragma once

#include <array>
#include <memory>

#include "geometry/query/neighbours.h"
#include "methods/nurbs/samples.h"

namespace pliant::nurbs {

/// Moving least squares, quadratic, over samples of the surface and particles inside: the field at
/// any place of the solid, and its gradient with the change of the weights (without, the patch test
/// is lost). Neighbours are those that can be reached through the solid without much of a detour,
/// so that legs and folds do not see each other.
class Fitter {
 public:
  /// Both must outlive it. `spacing`: at each voxel.
  Fitter(const std::vector<Sample>& samples, const Occupancy& solid,
         const std::vector<double>& spacing);

  /// What was found at one place, and what a search needs: one for each thread.
  struct Fit {
    explicit Fit(const Fitter& fitter) : distance(fitter.solid_) {}
    std::vector<int> sample;
    std::vector<double> value;
    std::vector<Vec3> gradient;  // [1/m]
    double radius = 0;           // [m]
    bool is_linear = false;      // quadratic terms could not be told apart

   private:
    friend class Fitter;
    enum class Sight : char { unknown, open, blocked };
    struct Candidate {
      int sample;
      double distance;  // [m]
      Vec3 way;         // [m] from the place
      Sight sight;
    };
    SolidDistance distance;
    std::vector<int> near;
    std::vector<Candidate> candidates;
    double gathered = 0;    // [m] all samples nearer than this are candidates
    std::vector<int> used;  // candidates that count, at the last radius
    std::vector<double> weight;
    std::vector<Vec3> slope;
    std::vector<std::array<double, 10>> terms;
  };

  /// What is asked for beside the values.
  enum class Wanted { values, gradients };
  /// `through_solid` false: plain distances, for control points, which lie outside. False: too few
  /// neighbours, at any radius.
  bool at(const Vec3& place, bool through_solid, Wanted wanted, Fit& fit) const;

 private:
  void gather(const Vec3& place, double reach, Fit& fit) const;
  bool is_seen(int voxel, double aside, double farthest, Fit::Candidate& candidate, Fit& fit) const;
  double look(const Vec3& place, int voxel, double radius, Fit& fit) const;
  void solve(Wanted wanted, Fit& fit) const;

  const std::vector<Sample>& samples_;
  const Occupancy& solid_;
  const std::vector<double>& spacing_;
  double least_spacing_ = 0;
  std::unique_ptr<Neighbours> near_;
  std::vector<int> voxel_;  // of each sample; -1 = none near
};

}  // namespace pliant::nurbs
