#include "body/method.h"

#include "core/assert.h"
#include "core/parallel.h"

namespace pliant {

void Method::respond(Nodes& nodes) const {
  parallel_for(nodes.size(), 1024, [&](int begin, int end) {
    for (int i = begin; i < end; ++i)
      nodes.position[i] = nodes.free[i] + nodes.mobility[i] * nodes.load[i];
  });
}

void Method::velocities_after(const Nodes& nodes, const Substep& substep,
                              std::vector<Vec3>& velocities) const {
  ASSERT(substep.h > 0, "a substep takes time");
  velocities.resize(std::size_t(nodes.size()));
  for (int i = 0; i < nodes.size(); ++i)
    velocities[i] = (nodes.position[i] - nodes.previous[i]) / substep.h;
}

}  // namespace pliant
