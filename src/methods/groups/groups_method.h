#pragma once

#include <cstdint>
#include <optional>

#include "body/method.h"
#include "methods/groups/group_damping.h"
#include "methods/groups/quadratic.h"
#include "methods/shared/element_flow.h"
#include "methods/shared/inner_damping.h"
#include "methods/shared/shape_law/project.h"
#include "methods/shared/shape_law/wide_solver.h"
#include "methods/shared/stress_recovery.h"

namespace pliant::groups {

/// What of the settings matters while moving.
struct Rules {
  int iterations = 1;
  double displacement_cap = 0.1;
  Stiffening stiffening;
  bool in_turn = false;  // shape, then volume
  bool jacobi = false;
  bool quadratic = false;
  double group_damping = 0;  // [1/s]
};

/// Moves a body of groups: with the wide solver if it has one, otherwise (the judge of the wide
/// one) in double, group after group in the order given.
class GroupsMethod final : public Method {
 public:
  /// `rest` [m]: the particles as built; `order`: of the plain sweep, each group once.
  GroupsMethod(Shapes shapes, const std::vector<Vec3>& rest, const Rules& rules,
               std::vector<int> order, std::optional<WideSolver> wide);

  /// From now on groups flow, if any can; none has yet.
  void let_flow(ElementFlow flow) {
    if (!flow.any()) return;
    flow_ = std::move(flow);
    arms_as_built_ = shapes_.arm;
  }

  void advance(Nodes&, const Substep&) override;
  void finish(Nodes&, const Substep&) override;
  Changes adapt(Nodes&, Skin&, double dt) override;
  void archive(Archive&) override;

  Measures measure(const Nodes&) const override;
  StepAdvice advise(const Nodes&, double dt) const override;
  std::vector<std::string> warnings(const Nodes&, const Substep&) const override;
  std::vector<std::string> fields() const override;
  bool element_field(std::string_view name, const Nodes&,
                     std::vector<double>& values) const override;
  bool skin_stress(const Nodes&, const Skin&, SkinStress&) const override;
  bool field(std::string_view name, const Nodes&, std::vector<double>& values) const override;
  bool bulk(const Nodes&, Bulk&) const override;

  const Shapes& shapes() const { return shapes_; }
  /// The fast path, or null: for benchmarks.
  WideSolver* wide() { return wide_ ? &*wide_ : nullptr; }
  /// Largest distance of a particle from where a group's fit has it, in sizes of the group.
  double residual(const Nodes&) const;

 private:
  void take_flow(const Nodes&);
  void prepare_compliances(double h);
  void sweep_in_order(Nodes&, bool last);
  void sweep_at_once(Nodes&, bool last);
  void sweep_wide(Nodes&);
  Projection project_one(int g, bool last, Members members);
  Members taken_out(int g, const Nodes&);
  void put_back(int g, Nodes&) const;
  void scatter_collapsed(int g, const Nodes&, Members members) const;
  double reach(int g) const;

  Shapes shapes_;
  Rules rules_;
  StressRecovery stress_;
  InnerDamping damping_;
  GroupDamping group_damping_;
  ElementFlow flow_;
  std::vector<Vec3> arms_as_built_;  // of bodies that flow
  bool has_flowed_ = false;          // since the arms were last set
  LateVelocities late_;              // between the substeps of a step
  QuadraticModes modes_;             // empty unless asked for
  std::vector<int> order_;
  std::optional<WideSolver> wide_;

  // Rebuilt when the substep changes its length; depends on nothing else.
  std::vector<Compliance> compliances_;
  double compliances_h_ = 0;

  std::vector<Multipliers> multipliers_;  // of this substep
  std::int64_t skipped_ = 0;              // projections without a finite result, for the report

  // Room for the members of one group, or (Jacobi) of all.
  std::vector<Vec3> places_, before_;
  std::vector<double> mobilities_;
  std::vector<double> share_;           // Jacobi: of its move that a group makes
  std::vector<int> uses_start_, uses_;  // Jacobi: memberships of each particle
  std::int64_t substeps_ = 0;  // state: draws other random numbers each time a group collapses
};

}  // namespace pliant::groups
