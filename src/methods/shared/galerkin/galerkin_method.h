#pragma once

#include "body/method.h"
#include "methods/shared/galerkin/implicit_step.h"
#include "methods/shared/galerkin/system.h"
#include "methods/shared/inner_damping.h"
#include "methods/shared/stress_recovery.h"

namespace pliant::galerkin {

/// A body of quadrature points, moving or at rest. Neo-Hookean ones move as implicit_step.h says,
/// unless the direct solver was asked for; others by backward Euler, as papers do. One substep
/// solves
///   (M + h D + h^2 K) dx = h M v + h^2 (f_ext - f_int(x)),   D = alpha M + beta K
/// for the movement, with K at the start of the substep (`newton` 1) or at the end (more). The
/// answer to contact is one more solve with the same matrix. Mass is lumped.
class GalerkinMethod : public Method {
 public:
  /// `rest`: where the nodes are at rest. `sound` [m/s] and `size` [m] say how long substeps may
  /// be.
  GalerkinMethod(Elastic elastic, const std::vector<Vec3>& rest, InnerDamping damping,
                 const Rules& rules, double sound, double size);

  void advance(Nodes&, const Substep&) override;
  void respond(Nodes&) const override;
  bool moves_by_mobility() const override { return implicit_ && implicit_->is_short(); }
  BodyCompliance* compliance() override { return implicit_ ? implicit_->compliance() : nullptr; }
  void correct(Nodes&) override;
  void finish(Nodes&, const Substep&) override;
  void archive(Archive&) override;

  bool holds_skin() const override { return rules_.grip > 0; }
  void hold_skin(const Skin&, const std::vector<int>& vertices,
                 const std::vector<Vec3>& targets) override;

  bool has_rollers() const override { return rules_.roller > 0; }
  void set_rollers(const Skin&, const Rollers&) override;

  bool finds_equilibrium() const override { return true; }
  StaticReport solve_static(Nodes&) override;
  bool holding(const Nodes&, Holding&) const override;

  Measures measure(const Nodes&) const override;
  StepAdvice advise(const Nodes&, double dt) const override;
  std::vector<std::string> warnings(const Nodes&, const Substep&) const override;
  std::vector<std::string> fields() const override;
  bool skin_stress(const Nodes&, const Skin&, SkinStress&) const override;
  bool field(std::string_view name, const Nodes&, std::vector<double>& values) const override;
  /// A cloud of quadrature points: deformation and stress are known there, and only there exactly.
  bool bulk(const Nodes&, Bulk&) const override;

  /// What holds each node [N]: elastic force less what else acts on held ones, inertia left out,
  /// and the pull of grips.
  void reactions(const Nodes&, std::vector<Vec3>& force) const;

  Elastic& elastic() { return elastic_; }
  System& system() { return system_; }
  const ImplicitStep* implicit_step() const { return implicit_.get(); }
  int last_iterations() const {
    return implicit_ ? implicit_->last_iterations() : last_iterations_;
  }  // of conjugate gradients, last advance

 private:
  void newton_step(Nodes&, double h, int iteration);
  const std::vector<double>& area_of_vertices(const Skin& skin);
  double point_value(std::string_view name, int point) const;

  mutable Elastic elastic_;  // reports look at it too
  mutable System system_;
  std::unique_ptr<ImplicitStep> implicit_;  // of neo-Hookean bodies
  StressRecovery recovery_;
  InnerDamping damping_;
  Rules rules_;
  double sound_, size_;

  Grips grips_;                      // of held vertices, then of rollers
  int first_roller_ = 0;             // of them
  std::vector<double> vertex_area_;  // [m^2] of the skin at rest, for grips
  std::vector<Vec3> force_, right_, move_;
  std::vector<double> mass_;
  mutable std::vector<Vec3> answer_;  // to the last load of this substep
  int last_iterations_ = 0;
  std::int64_t unsolved_ = 0;  // linear solves that did not reach their tolerance, for the report
};

}  // namespace pliant::galerkin
