#include "body/control_net.h"

#include "core/assert.h"

namespace pliant {

std::vector<NurbsPatch> ControlNet::moved(const std::vector<Vec3>& node_positions) const {
  ASSERT(nodes.size() == patches.size(), "a row of nodes for each patch");
  std::vector<NurbsPatch> result = patches;
  for (std::size_t p = 0; p < result.size(); ++p)
    for (std::size_t i = 0; i < nodes[p].size(); ++i)
      result[p].pole[i] = node_positions[std::size_t(nodes[p][i])];
  return result;
}

}  // namespace pliant
