#include "body/nodes.h"

namespace pliant {

Nodes Nodes::at(const std::vector<Vec3>& points) {
  const std::size_t count = points.size();
  const std::vector<Vec3> zero(count, Vec3::Zero());
  Nodes nodes;
  nodes.position = nodes.previous = nodes.free = nodes.target = points;
  nodes.velocity = nodes.load = nodes.force = zero;
  nodes.mass.assign(count, 0);
  nodes.mobility.assign(count, 0);
  nodes.held.assign(count, 0);
  return nodes;
}

void Nodes::fit_to_positions() {
  const std::size_t count = position.size();
  free.assign(position.begin(), position.end());
  target = free;
  load.assign(count, Vec3::Zero());
  force.assign(count, Vec3::Zero());
  mobility.assign(count, 0);
  held.assign(count, 0);
}

void Nodes::archive(Archive& archive) {
  archive.array("position", position);
  archive.array("previous", previous);
  archive.array("velocity", velocity);
}

}  // namespace pliant
