#pragma once

#include "methods/clusters/matter.h"

namespace pliant::clusters {

/// The paper's own law: shape matching with a stiffness per iteration. It means another material
/// for every number of iterations and every step, and is here for the paper's figures only.
struct PaperLaw {
  double stiffness = 0.9;  // K: share of the way to the goals that one iteration goes
  int iterations = 4;      // per substep
};

/// Draws particles to where their clusters' rigid fits have them: all clusters see the same places,
/// and a particle goes the mean of what they ask of it. That mean does not keep momentum, so each
/// piece without held particles is shifted back by what it gained.
class Matching {
 public:
  /// For as long as particles, clusters and masses stay the same.
  explicit Matching(const Matter& matter);

  void apply(Matter& matter, Nodes& nodes, const PaperLaw& law);

 private:
  void find_goals(Matter& matter, const Nodes& nodes);
  void find_moves(const Matter& matter, const Nodes& nodes, double stiffness);
  void keep_momentum(const Matter& matter, const Nodes& nodes);

  struct Share {
    int cluster, member;  // the place in its lists
  };
  std::vector<int> start_;     // shares of particle p: share_[start_[p]] .. share_[start_[p + 1])
  std::vector<Share> share_;   // by cluster, rising
  std::vector<Vec3> centre_;   // [m] per cluster: of its rigid fit
  std::vector<Vec3> move_;     // [m] per particle
  std::vector<Vec3> gained_;   // [kg m] per piece
  std::vector<double> mass_;   // [kg] per piece
  std::vector<char> is_held_;  // per piece: some of its particles are
};

/// The rotation of a cluster's rigid fit: it keeps the members' angular momentum, which that of the
/// printed matrix does not.
struct RigidFit {
  Vec3 centre = Vec3::Zero();
  Mat3 turn = Mat3::Identity();
};
RigidFit rigid_fit(const Cluster& cluster, const Nodes& nodes);

/// The symmetric S for which turn * S * arms lie nearest to the members, by mass.
Mat3 best_stretch(const Cluster& cluster, const Nodes& nodes);

/// Flow as in the paper: of the largest logarithmic stretch beyond the yield, a share per step.
struct PaperFlow {
  Mat3 stretch = Mat3::Identity();  // of the arms, determinant 1
  double strain = 0;  // the largest logarithmic stretch where something flowed, else 0
};
PaperFlow paper_flow(const Mat3& stretch, double yield, double share);

}  // namespace pliant::clusters
