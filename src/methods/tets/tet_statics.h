#pragma once

#include <memory>

#include "body/method.h"
#include "methods/shared/galerkin/statics.h"
#include "methods/tets/tet_elements.h"

namespace pliant::tets {

/// The equilibrium of a body of tets by Newton's method: the same energy as the projections, each
/// tet one quadrature point. Incompressible tets (nu = 0.5) are taken as nearly so, nu = 0.4999:
/// Newton's method needs a finite stiffness.
class TetStatics {
 public:
  TetStatics(const TetElements& elements, int nodes);
  StaticReport solve(Nodes& nodes);
  void set_rollers(const Skin& skin, const Rollers& rollers);
  /// After solve().
  void holding(const Nodes& nodes, Holding& found);

 private:
  galerkin::Elastic elastic_;
  galerkin::System system_;
  galerkin::Grips grips_;  // of rollers
  double grip_;            // [Pa/m] their stiffness
};

}  // namespace pliant::tets
