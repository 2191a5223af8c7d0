#pragma once

#include "body/nodes.h"

namespace pliant::tets {

/// Where and in which units the wide kernels keep the nodes: eight floats each, see
/// sweep_batches().
struct NodeFloats {
  float* data = nullptr;
  const int* slot = nullptr;  // node -> its place among the floats
  Vec3 origin = Vec3::Zero();
  double length = 1;  // [m]
  double mass = 1;    // [kg]
};

/// Copies position and mobility of the nodes [begin, end) into floats. Threads may share the nodes.
void load_floats(const Nodes& nodes, int begin, int end, const NodeFloats& floats);

/// Adds to the nodes [begin, end) what the floats were moved.
void add_float_changes(const NodeFloats& floats, int begin, int end, Nodes& nodes);

}  // namespace pliant::tets
