#include "methods/tets/tet_statics.h"

#include <algorithm>

namespace pliant::tets {
namespace {

constexpr double wanted_residual = 1e-6;     // of the forces that act
constexpr double least_compressible = 2e-4;  // mu/lambda = 1 - 2 nu at nu = 0.4999

galerkin::Points points_of(const TetElements& elements) {
  galerkin::Points points;
  // Where a tet is at rest is of no use to a body at one point per tet.
  for (int i = 0; i < elements.size(); ++i)
    points.add_tet(elements.nodes[i], elements.inverse_rest[i], Vec3::Zero(), elements.volume[i],
                   i);
  points.end_bundle();
  return points;
}

std::vector<galerkin::Law> laws_of(const TetElements& elements) {
  std::vector<galerkin::Law> laws;
  for (int i = 0; i < elements.size(); ++i) {
    galerkin::Law law;
    if (elements.hookean.empty()) {
      law.kind = galerkin::Law::Kind::neo_hookean;
      law.rubber = elements.law[i];
      const double compressible =
          std::max(law.rubber.mu * law.rubber.lambda_inverse, least_compressible);
      law.rubber.lambda_inverse = compressible / law.rubber.mu;
      law.rubber.gamma = 1 + compressible;
    } else {
      law.kind = galerkin::Law::Kind::st_venant_kirchhoff;
      law.mu = elements.hookean[i].mu;
      law.lambda = elements.hookean[i].lambda;
    }
    laws.push_back(law);
  }
  return laws;
}

/// [Pa/m] A hundred times the stiffest material's, per size of a tet.
double roller_stiffness(const TetElements& elements) {
  double young = 0, length = 0;
  for (int i = 0; i < elements.size(); ++i) {
    young = std::max(young, 3 * elements.law[i].mu);
    length += elements.length[i] / elements.size();
  }
  return 100 * young / length;
}

}  // namespace

TetStatics::TetStatics(const TetElements& elements, int nodes)
    : elastic_(points_of(elements), laws_of(elements), nodes),
      system_(elastic_, galerkin::Solver::automatic),
      grip_(roller_stiffness(elements)) {}

void TetStatics::set_rollers(const Skin& skin, const Rollers& rollers) {
  grips_.resize(0);
  if (rollers.vertex.empty()) return;
  galerkin::add_rollers(skin, galerkin::vertex_areas(skin), rollers, grip_, grips_);
  if (system_.is_direct())  // the factor has no room for springs
    system_ = galerkin::System(elastic_, galerkin::Solver::iterative);
}

void TetStatics::holding(const Nodes& nodes, Holding& found) {
  elastic_.update(nodes.position);
  galerkin::find_holding(elastic_, grips_, 0, nodes, found);
}

StaticReport TetStatics::solve(Nodes& nodes) {
  return galerkin::find_equilibrium(elastic_, system_, grips_, nodes, wanted_residual);
}

}  // namespace pliant::tets
