#include "methods/shared/galerkin/free_response.h"

#include "methods/shared/galerkin/free_loads_solver.h"
#include "methods/shared/galerkin/rest_factor.h"

namespace pliant::galerkin {
namespace {

using namespace free_bodies;

// Of the shear modulus times the size, added as a mass so that there is a factor: what is slower
// than the slowest vibration would be rigid.
constexpr double little_mass = 2.6e-4;

}  // namespace

FreeResponse free_response(Elastic& elastic, const Nodes& at_rest, double extent,
                           const FreeLoads& loads) {
  const Points& points = elastic.points();
  const auto nodes = std::size_t(elastic.nodes());
  Field load(nodes, Columns::Zero());
  for (int p = 0; p < points.size(); ++p) {
    const Columns force = points.volume[p] * loads.at(points.rest[p]);
    for (int k = points.start[p]; k < points.start[p + 1]; ++k)
      load[points.node[k]] += points.value[k] * force;
  }
  const std::vector<Vec3> rest = at_rest.position;
  elastic.update(rest);
  elastic.keep_tangents();
  std::vector<double> mass = at_rest.mass;
  double total = 0;
  for (const double m : mass) total += m;
  for (double& m : mass) m *= little_mass * elastic.law(0).shear() * extent / total;
  RestFactor factor(elastic, rest);
  factor.prepare(mass, 1, std::vector<char>(nodes, 0), nullptr, 0);
  std::vector<Vec3> way(nodes), answer(nodes);
  const auto product = [&](const Field& x, Field& y) {
    for (int l = 0; l < FreeLoads::count; ++l) {
      for (std::size_t n = 0; n < nodes; ++n) way[n] = x[n].col(l);
      elastic.multiply(way, answer);
      for (std::size_t n = 0; n < nodes; ++n) y[n].col(l) = answer[n];
    }
  };
  const auto condition = [&](const Field& r, Field& z) {
    for (int l = 0; l < FreeLoads::count; ++l) {
      for (std::size_t n = 0; n < nodes; ++n) way[n] = r[n].col(l);
      factor.apply(way, answer);
      for (std::size_t n = 0; n < nodes; ++n) z[n].col(l) = answer[n];
    }
  };
  const RigidMotions rigid(rest);
  rigid.remove(load);
  const Field moved = solve_loads(load, rigid, product, condition);
  const Sums work = dot(load, moved);
  FreeResponse response;
  for (int l = 0; l < FreeLoads::count; ++l) {
    response.work[l] = work[l];
    for (std::size_t n = 0; n < nodes; ++n) way[n] = moved[n].col(l);
    response.error[l] = 2 * elastic.form()->energy(way);
  }
  return response;
}

}  // namespace pliant::galerkin
