#include "body/scramble.h"

#include "core/random.h"

namespace pliant {

void scramble(Body& body, Scramble into, std::uint64_t seed) {
  Nodes& nodes = body.nodes;
  const Box box = bounds(nodes.position);
  const Vec3 middle = box.centre();
  for (int i = 0; i < nodes.size(); ++i) {
    Vec3 p;
    for (int axis = 0; axis < 3; ++axis)
      p[axis] = box.low[axis] +
                random_unit(seed, std::uint64_t(3 * i + axis)) * (box.high[axis] - box.low[axis]);
    if (into != Scramble::space) p.y() = middle.y();
    if (into == Scramble::line || into == Scramble::point) p.z() = middle.z();
    if (into == Scramble::point) p.x() = middle.x();
    nodes.position[i] = nodes.previous[i] = nodes.free[i] = p;
    nodes.velocity[i].setZero();
  }
  body.refresh_skins();
  body.skin.previous = body.skin.position;
}

}  // namespace pliant
