#include "methods/shared/flight.h"

namespace pliant {

void fly(Nodes& nodes, int begin, int end, double h, const LateVelocities& late) {
  for (int i = begin; i < end; ++i) {
    const Vec3 start = nodes.position[i], before = late.of(nodes, i);
    nodes.mobility[i] = nodes.held[i] ? 0 : 1 / nodes.mass[i];
    const bool falls = nodes.only_gravity && !nodes.held[i];
    const Vec3 velocity =
        before + (falls ? Vec3(h * nodes.gravity) : Vec3(h * nodes.mobility[i] * nodes.force[i]));
    nodes.previous[i] = start;
    nodes.velocity[i] = velocity;
    nodes.position[i] = nodes.held[i] ? nodes.target[i] : Vec3(start + h * velocity);
  }
}

void velocities_from_ways(Nodes& nodes, int begin, int end, double h) {
  // As one row of numbers, which compilers take several at a time.
  using Row = Eigen::Map<Eigen::ArrayXd>;
  const auto row = [&](std::vector<Vec3>& of) {
    return Row(of.data()->data() + 3 * begin, 3 * (end - begin));
  };
  row(nodes.velocity) = (1 / h) * (row(nodes.position) - row(nodes.previous));
}

}  // namespace pliant
