#include "methods/shared/galerkin/solid_points.h"

#include <algorithm>
#include <cmath>

#include "body/body.h"
#include "core/assert.h"
#include "core/disjoint_sets.h"
#include "core/formatted.h"

namespace pliant::galerkin {
namespace {

/// Above this the functions begin to lock; beyond the second the matrices get too bad to solve.
constexpr double locking_poisson = 0.49;
constexpr double largest_poisson = 0.499;

}  // namespace

const Material& material(const Solid& solid, int index) {
  return index == 0 ? solid.material : solid.parts[index - 1].material;
}

std::vector<Law> laws(const Solid& solid, Law::Kind kind, std::vector<std::string>& warnings) {
  std::vector<Law> all;
  double largest = 0;
  for (int i = 0; i <= int(solid.parts.size()); ++i) {
    const Material& m = material(solid, i);
    ASSERT(m.is_complete(), "materials are completed before a body is made");
    largest = std::max(largest, *m.poisson);
    all.push_back(Law::from(kind, *m.young, std::min(*m.poisson, largest_poisson)));
  }
  if (largest > largest_poisson)
    warnings.push_back("Poisson's ratio " + formatted("%g", largest) + " is taken as " +
                       formatted("%g", largest_poisson) + ", the most this method can");
  else if (largest > locking_poisson)
    warnings.push_back("Poisson's ratio " + formatted("%g", largest) +
                       " is close to 0.5: expect bending to be some percent too stiff");
  return all;
}

InnerDamping damping(const Points& points, const Solid& solid, int nodes) {
  std::vector<double> rate(std::size_t(nodes), 0), volume(rate);
  DisjointSets pieces(nodes);
  for (int p = 0; p < points.size(); ++p)
    for (int k = points.start[p]; k < points.start[p + 1]; ++k) {
      const int n = points.node[k];
      rate[n] += points.volume[p] * *material(solid, points.material[p]).damping;
      volume[n] += points.volume[p];
      pieces.join(points.node[points.start[p]], n);
    }
  for (int n = 0; n < nodes; ++n) {
    if (volume[n] > 0) {
      rate[n] /= volume[n];
      continue;
    }
    // Seen by no point, like control points far from the kept part of a face: others lead it.
    rate[n] = *solid.material.damping;
    pieces.join(points.node[0], n);
  }
  return {std::move(rate), pieces.numbers()};
}

double speed_of_sound(const Solid& solid) {
  double fastest = 0;
  for (int i = 0; i <= int(solid.parts.size()); ++i)
    fastest = std::max(fastest, *material(solid, i).young / *material(solid, i).density);
  return std::sqrt(fastest);
}

/// How linear systems will be solved, and from which step length on how.
std::string solver_note(System& system, const Nodes& nodes) {
  const std::string unknowns = std::to_string(3 * nodes.size()) + " unknowns";
  if (system.is_direct()) return "linear solver: sparse Cholesky, " + unknowns;
  const std::string note = "linear solver: conjugate gradients without a matrix, " + unknowns;
  if (!system.lasting()) return note + ", preconditioned by the blocks on the diagonal";
  const double longest =
      std::sqrt(system.factor_from() * total_mass(nodes) / system.lasting()->trace());
  const std::string factor =
      "a factor of " + formatted("%.2g", double(system.lasting()->size())) + " numbers";
  if (longest < 1e-4) return note + ", preconditioned by " + factor;
  return note + ", preconditioned by the blocks on the diagonal, for substeps longer than " +
         formatted("%.2g ms by ", 1e3 * longest) + factor;
}

double stiffest(const Solid& solid) {
  double most = 0;
  for (int i = 0; i <= int(solid.parts.size()); ++i)
    most = std::max(most, *material(solid, i).young);
  return most;
}

}  // namespace pliant::galerkin
