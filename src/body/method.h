#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "body/body_compliance.h"
#include "body/bulk.h"
#include "body/changes.h"
#include "body/cut.h"
#include "body/handle.h"
#include "body/nodes.h"
#include "body/skin.h"
#include "body/skin_stress.h"

namespace pliant {

/// One small step in time, the same for all bodies of a world.
struct Substep {
  double h = 0;     // [s]
  double time = 0;  // [s] at its start
  /// Of its step: somebody may look at velocities before the next one. Within a step nobody does,
  /// except at those of bodies that do not deform.
  bool last = true;
};

/// What a discretisation can tell about its present state, for metrics.
struct Measures {
  double elastic_energy = 0;  // [J]
  /// [J] Of the above: what only keeps nodes where the field wants them, and grows where there are
  /// too few of them for how the solid bends.
  std::optional<double> error_energy;
  double volume = 0;       // [m^3] of the elements, now
  double rest_volume = 0;  // [m^3]
  double min_J = 1;        // smallest volume ratio of an element; negative = inverted
  int elements = 0;
  int inverted = 0;              // elements with J <= 0
  std::optional<Vec3> reaction;  // [N] sum over the held nodes of what holds them, where known

  /// Of bodies that change their nodes.
  struct Parts {
    int pieces = 0, particles = 0, clusters = 0;
  };
  std::optional<Parts> parts;
};

/// What a method found out about the step size.
struct StepAdvice {
  int substeps = 1;    // what the stiffness asks for, for steps of the asked length
  std::string reason;  // one clause for the user: "stiffness of the finest elements"
  /// The fewest that contact and friction like with this method, where there is anything to touch;
  /// left out: the world's own number, always.
  std::optional<int> least = std::nullopt;
};

/// What holds a body in equilibrium.
struct Holding {
  std::vector<Vec3> at_nodes;     // [N] zero where a node is free
  std::vector<Vec3> at_vertices;  // [N] in the order of the last hold_skin()
  std::vector<Vec3> at_rollers;   // [N] in the order of the last set_rollers()
};

/// How a search for equilibrium ended.
struct StaticReport {
  bool converged = false;
  int iterations = 0;   // of Newton's method, over all load steps
  int load_steps = 0;   //
  double residual = 0;  // force left over on free nodes, as a share of what acts
};

/// What a discretisation must do; called per body, never per element. Surfaces meet, methods don't:
/// contact finds `nodes.load`, the method turns it into movement in `respond` or `correct`. Where a
/// body moves by mobility, contact does that itself, by the formula of the default `respond`.
class Method {
 public:
  virtual ~Method() = default;

  /// Free motion and elasticity, contact left out. Starts from position and velocity, moves held
  /// nodes to their target; sets previous, mobility and position.
  virtual void advance(Nodes&, const Substep&) = 0;

  /// position = free + B load, B symmetric, positive and bounded by mobility. The default B is the
  /// mobility itself (projective methods); implicit methods solve once with this substep's factor.
  virtual void respond(Nodes&) const;

  /// True when `respond` is the default: then contact need not measure how far a load really moves.
  /// May change from one advance() to the next.
  virtual bool moves_by_mobility() const { return true; }

  /// Bodies that solve for their motion: how they give way, valid from advance() to finish(); null
  /// where there is none, and `respond` is asked instead. Contact is solved with it, without any
  /// elastic solve, and then asks for the real answer by correct(). What is exact: the answer of a
  /// body near its shape at rest, and momentum, always. What is bounded: after each correct() the
  /// positions answer nodes.load up to the tolerance of one Newton iteration, and contact goes on
  /// until gaps are right at those positions.
  /// Where moves_by_mobility() is true too, the compliance is the mobility: contact solves such
  /// bodies in the same way, as exactly, and asks for no correction.
  virtual BodyCompliance* compliance() { return nullptr; }

  /// Moves the nodes towards where they are in balance with nodes.load at the end of this substep,
  /// by one iteration of Newton's method from where they are; ends nowhere that is worse. Only
  /// called where compliance() is not null, whose `answered` is then nodes.load.
  virtual void correct(Nodes&) {}

  /// Velocities from positions, damping, plastic flow. Unless the substep is the last of its step,
  /// velocities may be left for the next advance() to find.
  virtual void finish(Nodes&, const Substep&) = 0;

  /// The velocities that finish() would find if it were called now; changes nothing and may be
  /// asked any number of times. Only asked of bodies that do not deform, between respond() and
  /// finish(): how they bounce is a rule of contact (Body::restitution).
  virtual void velocities_after(const Nodes&, const Substep&, std::vector<Vec3>& velocities) const;

  /// Whether handles hold the skin itself, where nodes do not lie on it. Then the world calls
  /// `hold_skin` before each advance and each static solve, with every vertex that is held and
  /// where it has to be; otherwise nodes.held and nodes.target say everything.
  virtual bool holds_skin() const { return false; }
  virtual void hold_skin(const Skin&, const std::vector<int>& /*vertices*/,
                         const std::vector<Vec3>& /*targets*/) {}

  /// Whether rollers work in equilibrium. Then the world calls `set_rollers` before each static
  /// solve, after hold_skin().
  virtual bool has_rollers() const { return false; }
  virtual void set_rollers(const Skin&, const Rollers&) {}

  /// Whether solve_static() works; scenes that ask for it of other methods are refused.
  virtual bool finds_equilibrium() const { return false; }

  /// Moves the nodes to where nodes.force and the elastic forces balance, held nodes at their
  /// targets, without contact and without time passing: velocities end at zero. Starts from the
  /// present positions. When it does not converge the nodes are left at the best state met.
  virtual StaticReport solve_static(Nodes&) { return {}; }

  /// What holds it after solve_static(); false where that is not known.
  virtual bool holding(const Nodes&, Holding&) const { return false; }

  /// Between steps, after one of `dt` seconds: flow, resample, remesh. Says which nodes, vertices
  /// and triangles have other numbers now.
  virtual Changes adapt(Nodes&, Skin&, double /*dt*/) { return {}; }

  /// Whether adapt() may change nodes or the skin. Masses, triangles, weights and all that names
  /// them are state then, lengths at rest mean nothing, and nothing may be fastened to a vertex.
  virtual bool changes_body() const { return false; }

  /// Whether cut() works.
  virtual bool can_be_cut() const { return false; }

  /// Between steps: parts the body where the plane passes through it, and says like adapt() which
  /// numbers are others now. Nothing changes where it meets nothing.
  virtual Changes cut(Nodes&, Skin&, const Cut&) { return {}; }

  /// Private state, for checkpoints and hashes.
  virtual void archive(Archive&) = 0;

  // Reports; none of them changes the motion.
  virtual Measures measure(const Nodes&) const = 0;
  /// How many substeps a step of `dt` seconds should have for the stiffness to be resolved.
  virtual StepAdvice advise(const Nodes&, double dt) const = 0;
  /// Lines for the user about a run with this substep: "12 of 4000 tets are softer than asked".
  /// Empty: all well.
  virtual std::vector<std::string> warnings(const Nodes&, const Substep&) const { return {}; }
  /// Names of the fields this method can show beyond those every body has.
  virtual std::vector<std::string> fields() const { return {}; }
  /// One value per element; false when there is no such field or the method has no elements.
  virtual bool element_field(std::string_view, const Nodes&, std::vector<double>&) const {
    return false;
  }
  /// Stress at the vertices of a skin that hangs in the nodes; false when it knows none.
  virtual bool skin_stress(const Nodes&, const Skin&, SkinStress&) const { return false; }
  /// One value per node; false when there is no such field.
  virtual bool field(std::string_view, const Nodes&, std::vector<double>&) const { return false; }
  /// The body inside: its tets, or where the method knows its deformation. False when there is
  /// nothing to show, as in rigid bodies.
  virtual bool bulk(const Nodes&, Bulk&) const { return false; }
};

}  // namespace pliant
