#pragma once

#include <optional>

#include "body/method.h"
#include "methods/clusters/matching.h"
#include "methods/clusters/tracked_skin.h"
#include "methods/shared/inner_damping.h"
#include "methods/shared/shape_law/wide_solver.h"

namespace pliant::clusters {

/// What of the settings matters while moving.
struct Rules {
  double displacement_cap = 0.1;
  shape_law::Stiffening stiffening;
  double longest_edge = 0;  // [m] of the skin
  bool resample = true;
  std::optional<PaperLaw> paper;  // instead of the material's law
  double clearance = 0;           // [m] of the sides of a cut from it
};

/// [s] Wall time of the parts of adapt() since the start, for benchmarks.
struct AdaptTimes {
  double flow = 0, track = 0, resample = 0, bind = 0;
};

/// Moves a body of clusters. Within a step it is a body of groups weighed by mass; between steps
/// the clusters' arms flow, particles and clusters are resampled, and the skin is bound anew.
class ClustersMethod final : public Method {
 public:
  ClustersMethod(Matter matter, const Rules& rules, TrackedSkin skin)
      : matter_(std::move(matter)),
        rules_(rules),
        tracked_(std::move(skin)),
        volume_(tracked_.piece_volumes()) {}

  void advance(Nodes&, const Substep&) override;
  void finish(Nodes&, const Substep&) override;
  Changes adapt(Nodes&, Skin&, double dt) override;
  bool changes_body() const override { return true; }
  bool can_be_cut() const override { return true; }
  Changes cut(Nodes&, Skin&, const Cut&) override;
  void archive(Archive&) override;

  Measures measure(const Nodes&) const override;
  StepAdvice advise(const Nodes&, double dt) const override;
  std::vector<std::string> warnings(const Nodes&, const Substep&) const override;
  std::vector<std::string> fields() const override;
  bool element_field(std::string_view name, const Nodes&,
                     std::vector<double>& values) const override;
  bool field(std::string_view name, const Nodes&, std::vector<double>& values) const override;
  bool bulk(const Nodes&, Bulk&) const override;

  const Matter& matter() const { return matter_; }
  const AdaptTimes& times() const { return times_; }
  /// For benchmarks; null before the first step and without a law.
  shape_law::WideSolver* wide() { return wide_ ? &*wide_ : nullptr; }

 private:
  void prepare(const Nodes&, double h);
  void rebuild(const Nodes&);
  void advance_as_paper(Nodes&, const Substep&);
  void match_flat(Nodes&);
  double flow_of(Cluster&, const Nodes&, double dt) const;
  bool flow(const Nodes&, double dt);
  Changes fracture(Nodes&, Skin&);
  Changes follow_surface(Nodes&, Skin&, TrackedSkin::Advanced&);
  /// Per piece of a skin.
  struct Enclosed {
    std::vector<double> area;    // [m^2]
    std::vector<double> volume;  // [m^3]
  };
  Enclosed enclosed(const Skin&) const;
  bool has_volume(const Enclosed&) const;
  void keep_volume(Skin&, const Enclosed&) const;
  void bind(const Nodes&, Skin&, const Weights& before, const Changes&,
            const std::vector<char>& placed, bool all);

  Matter matter_;
  Rules rules_;
  TrackedSkin tracked_;
  std::vector<double> volume_;  // [m^3] per piece: what the skin is to enclose
  bool is_skin_stale_ = false;  // state: something has flowed since the skin was bound
  bool outdated_ = true;        // state: what follows is to be made anew
  // [m] State: particles when that was last done. The order of sweeps depends on it, and must be
  // the same after a checkpoint was loaded.
  std::vector<Vec3> order_by_;

  bool lost_ = true;  // what follows was never made, or is of before a checkpoint was loaded
  shape_law::Shapes shapes_;
  std::vector<int> flat_;  // clusters without a law
  std::optional<shape_law::WideSolver> wide_;
  std::optional<Matching> matching_;  // of the paper's law
  std::optional<InnerDamping> damping_;
  LateVelocities late_;  // between the substeps of a step
  std::vector<shape_law::Compliance> compliances_;
  double compliances_h_ = 0;
  AdaptTimes times_;
  std::int64_t skipped_ = 0;  // projections without a finite result, for the report
};

}  // namespace pliant::clusters
