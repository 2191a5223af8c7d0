#pragma once

#include <optional>

#include "body/solid.h"
#include "methods/meshless/mls.h"
#include "methods/shared/galerkin/galerkin_method.h"

namespace pliant::meshless {

/// Where the rotation of a quadrature point comes from.
enum class Rotation {
  paper,     // best fit of all neighbours (Brunet et al. 2019, eq. 11)
  gradient,  // polar decomposition of F: then forces are the gradient of an energy
  none,      // linear elasticity: what large turns do to it is what the paper cures
};

/// What pins and handles hold. Functions do not pass through their particles, so a surface whose
/// particles stand still moves a little.
enum class Hold {
  particles,  // those in the region, exactly: what papers do
  skin,       // the surface in the region, by stiff springs
};

/// Particles on a grid in any closed surface, moved by backward Euler or brought straight to
/// equilibrium: moving least squares, Galerkin's weak form, corotated or hyperelastic. No mesh, no
/// locking up to nu = 0.49, stiffness as asked for any step.
class Settings final : public MethodSettings {
 public:
  std::optional<int> particles;   // about how many; left out: default_particles
  std::optional<double> spacing;  // [m] between them, instead
  Support support;
  galerkin::Law::Kind law = galerkin::Law::Kind::log_neo_hookean;
  Rotation rotation = Rotation::paper;
  Hold hold = Hold::particles;
  bool full_tangent = true;  // with the turning of rotations; the paper's is without
  galerkin::Rules rules;

  static constexpr int default_particles = 800;

  void describe(Fields& fields) override;
  Body create(const Solid& solid) const override;
  bool leaves_nodes_open() const override { return !particles && !spacing; }
  std::unique_ptr<MethodSettings> with_nodes(int count) const override;
};

/// Access to the discretisation behind a body made here, for studies and tests.
galerkin::GalerkinMethod& method_of(Body& body);

}  // namespace pliant::meshless
