#pragma once

#include <cstdint>
#include <optional>

#include "body/method.h"
#include "methods/shared/element_flow.h"
#include "methods/shared/stress_recovery.h"
#include "methods/tets/damping.h"
#include "methods/tets/project.h"
#include "methods/tets/recovery.h"
#include "methods/tets/tet_statics.h"
#include "methods/tets/wide_solver.h"

namespace pliant::tets {

/// What of the settings matters while moving.
struct Rules {
  int iterations = 1;
  double displacement_cap = 0.1;
  double guard = 0.4;
  bool recovery = false;
  bool in_turn = false;  // shape, then volume
};

/// Moves a body of tets: with the wide solver if it has one, otherwise (the judge of the wide one)
/// in double, tet after tet in the order of `elements`, on one thread.
class TetsMethod final : public Method {
 public:
  /// `rest` [m]: the nodes as built.
  TetsMethod(TetElements elements, const std::vector<Vec3>& rest, const Rules& rules,
             std::optional<WideSolver> wide);

  /// From now on tets flow, if any can; none has yet. `rest` [m]: the nodes as built.
  void let_flow(ElementFlow flow, std::vector<Vec3> rest) {
    if (!flow.any()) return;
    flow_ = std::move(flow);
    rest_ = std::move(rest);
    inverse_as_built_ = elements_.inverse_rest;
  }

  void advance(Nodes&, const Substep&) override;
  void finish(Nodes&, const Substep&) override;
  Changes adapt(Nodes&, Skin&, double dt) override;
  void archive(Archive&) override;
  bool finds_equilibrium() const override { return true; }
  StaticReport solve_static(Nodes&) override;
  bool has_rollers() const override { return true; }
  void set_rollers(const Skin&, const Rollers&) override;
  bool holding(const Nodes&, Holding&) const override;

  /// First Piola-Kirchhoff stress [Pa] of each tet by the multipliers of the last substep: what was
  /// done, beside the law's stress, which is what should be done. Empty with a wide kernel, which
  /// keeps no multipliers.
  std::vector<Mat3> stress_of_multipliers(const Nodes&) const;

  /// The fast path, or null: for benchmarks.
  WideSolver* wide() { return wide_ ? &*wide_ : nullptr; }

  Measures measure(const Nodes&) const override;
  StepAdvice advise(const Nodes&, double dt) const override;
  std::vector<std::string> warnings(const Nodes&, const Substep&) const override;
  std::vector<std::string> fields() const override;
  bool element_field(std::string_view name, const Nodes&,
                     std::vector<double>& values) const override;
  bool skin_stress(const Nodes&, const Skin&, SkinStress&) const override;
  bool field(std::string_view name, const Nodes&, std::vector<double>& values) const override;
  bool bulk(const Nodes&, Bulk&) const override;

 private:
  void take_flow(const Nodes&);
  void prepare_compliances(const Nodes&, double h);
  void advance_wide(Nodes&, const Substep&);
  void sweep(Nodes&);
  void project_one(int tet, Nodes&);
  void scatter_collapsed(int tet, Nodes&) const;

  int nodes_;
  TetElements elements_;
  Rules rules_;
  Damping damping_;
  Recovery recovery_;
  StressRecovery stress_;
  ElementFlow flow_;
  std::vector<Vec3> rest_;              // [m] of bodies that flow: nodes as built
  std::vector<Mat3> inverse_as_built_;  // [1/m] and rest shapes
  bool has_flowed_ = false;             // since the rest shapes were last set
  LateVelocities late_;                 // between the substeps of a step
  std::optional<WideSolver> wide_;

  // Rebuilt when the substep changes its length or a recovery goes on; depends on nothing else.
  std::vector<Compliance> compliances_;
  double compliances_h_ = 0;
  double compliances_softness_ = 0;

  std::vector<Multipliers> multipliers_;  // of this substep
  std::int64_t skipped_ = 0;              // projections without a finite result, for the report

  TetStatics& statics() const;
  mutable std::unique_ptr<TetStatics> statics_;  // made when first asked for

  std::int64_t substeps_ = 0;  // state: draws other random numbers each time a tet collapses
};

}  // namespace pliant::tets
