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

}  // namespace

TetStatics::TetStatics(const TetElements& elements, int nodes)
    : elastic_(points_of(elements), laws_of(elements), nodes),
      system_(elastic_, galerkin::Solver::automatic) {}

StaticReport TetStatics::solve(Nodes& nodes) {
  return galerkin::find_equilibrium(elastic_, system_, grips_, nodes, wanted_residual);
}

}  // namespace pliant::tets
