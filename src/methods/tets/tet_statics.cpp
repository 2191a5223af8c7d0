#include "methods/tets/tet_statics.h"

#include <algorithm>

namespace pliant::tets {
namespace {

constexpr double wanted_residual = 1e-6;     // of the forces that act
constexpr double least_compressible = 2e-4;  // mu/lambda = 1 - 2 nu at nu = 0.4999

galerkin::Points points_of(const TetElements& elements) {
  galerkin::Points points;
  for (int i = 0; i < elements.size(); ++i) {
    const Mat3& B = elements.inverse_rest[i];
    for (int k = 0; k < 4; ++k) {
      points.node.push_back(elements.nodes[i][k]);
      points.value.push_back(0.25);
      points.gradient.push_back(k == 0 ? Vec3(-B.colwise().sum().transpose())
                                       : Vec3(B.row(k - 1).transpose()));
    }
    points.start.push_back(int(points.node.size()));
    points.rest.push_back(Vec3::Zero());  // of no use to a body at one point per tet
    points.volume.push_back(elements.volume[i]);
    points.material.push_back(i);
    if ((i + 1) % 8 == 0 || i + 1 == elements.size()) points.bundle.push_back(i + 1);
  }
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
