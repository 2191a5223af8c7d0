#pragma once

#include <vector>

#include "body/cut.h"
#include "methods/clusters/matter.h"

namespace pliant::clusters {

/// Where matter has flowed beyond its fracture strain and is being drawn out: planes across the
/// direction of the greatest stretch, worst first, at most a few. They reach as far as a neck is
/// wide: a ductile body gets thin before it breaks.
std::vector<Cut> cracks(const Matter& matter, const Nodes& nodes);

/// After a crack at `place`: what lies round it starts to gather damage anew, as the piece that is
/// drawn there has an end now.
void relieve(Matter& matter, const Nodes& nodes, const Vec3& place);

}  // namespace pliant::clusters
