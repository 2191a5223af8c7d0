#include "methods/error_share.h"

#include "methods/shared/galerkin/free_response.h"
#include "methods/shared/galerkin/galerkin_method.h"

namespace pliant {

std::optional<double> error_share(const Body& body) {
  const Measures measures = body.method->measure(body.nodes);
  if (!measures.error_energy || !(measures.elastic_energy > 0)) return std::nullopt;
  return *measures.error_energy / measures.elastic_energy;
}

std::optional<double> error_share_under_smooth_loads(Body& body) {
  auto* method = dynamic_cast<galerkin::GalerkinMethod*>(body.method.get());
  if (!method || method->elastic().form()->empty()) return std::nullopt;
  const galerkin::Points& points = method->elastic().points();
  return galerkin::free_response(method->elastic(), body.nodes, body.extent,
                                 FreeLoads(points.rest, points.volume))
      .error_share();
}

}  // namespace pliant
