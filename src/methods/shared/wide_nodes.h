#pragma once

#include "methods/shared/flight.h"

namespace pliant {

/// Where and in which units the wide kernels keep the nodes: eight floats each, see
/// the methods' sweeps. Position, inverse mass, how far it has moved, and one (zero) to fill up.
struct NodeFloats {
  static constexpr int per_node = 8;

  float* data = nullptr;
  const int* slot = nullptr;  // node -> its place among the floats
  Vec3 origin = Vec3::Zero();
  double length = 1;  // [m]
  double mass = 1;    // [kg]
};

/// Copies position and mobility of the nodes [begin, end) into floats. Threads may share the nodes.
void load_floats(const Nodes& nodes, int begin, int end, const NodeFloats& floats);

/// fly(), then load_floats(), in one visit to every node; but with `position` and `previous` in
/// each other's place, which saves writing where nodes were, and velocities are left as they are or
/// not: nobody looks at them before they are found anew from the ways. Swap the arrays when all
/// nodes have flown. `finds_mobilities` false: they are what `held` says already.
void fly_and_load(Nodes& nodes, int begin, int end, double h, const LateVelocities& late,
                  bool finds_mobilities, const NodeFloats& floats);

/// Adds to the places of the nodes [begin, end) what the floats were moved.
void add_float_changes(const NodeFloats& floats, int begin, int end, std::vector<Vec3>& position);

/// A place to measure floats from: near the nodes, so that they resolve them equally well wherever
/// they are. In whole units, so that a body that hardly moves keeps its origin, and with it the way
/// its places are rounded.
Vec3 float_origin(const std::vector<Vec3>& position, double unit);

}  // namespace pliant
