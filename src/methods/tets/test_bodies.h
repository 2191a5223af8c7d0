#pragma once

#include <cmath>

#include "geometry/sample/tet_block.h"
#include "math/test_random.h"
#include "methods/tets/tets.h"

// Blocks of tets and ways to move them, for the tests of this folder.

namespace pliant::tets {

using test::random_vector;

inline TetMesh block(int nx, int ny, int nz, const Vec3& size) {
  return tet_block({nx, ny, nz}, size);
}

inline Material material(double young, double poisson, double damping = 0, double density = 1000) {
  return elastic_material(young, poisson, density, damping);
}

inline Settings with(Kernel kernel, int iterations = 1) {
  Settings settings;
  settings.kernel = kernel;
  settings.iterations = iterations;
  return settings;
}

constexpr Kernel wide_kernels[] = {Kernel::tets, Kernel::cells};
constexpr Kernel all_kernels[] = {Kernel::plain, Kernel::tets, Kernel::cells};

/// One substep of a body alone in the world. `drag` [1/s] slows everything, for finding rest
/// quickly.
inline void substep(Body& body, double h, double& time, const Vec3& gravity = Vec3::Zero(),
                    double drag = 0) {
  const Substep step{h, time};
  drive(body, gravity, time + h);
  body.method->advance(body.nodes, step);
  body.method->finish(body.nodes, step);
  body.skin.refresh(body.nodes.position);
  for (Vec3& v : body.nodes.velocity) v *= 1 - drag * h;
  time += h;
}

/// Holds every node on the plane x = 0.
inline Handle pin_left(const Body& body) {
  Handle handle;
  for (int i = 0; i < body.nodes.size(); ++i)
    if (body.nodes.position[i].x() == 0) {
      handle.nodes.push_back(i);
      handle.rest.push_back(body.nodes.position[i]);
    }
  return handle;
}

}  // namespace pliant::tets
