#pragma once

#include "body/body.h"
#include "geometry/mesh/primitives.h"
#include "methods/rigid/rigid.h"

// Rigid bodies for tests.

namespace pliant::test {

inline Solid solid_of(const TriangleMesh& surface, double density = 1000) {
  Solid solid;
  solid.name = "body";
  solid.surface = surface;
  solid.material = elastic_material(1e5, 0.4, density);
  return solid;
}

inline Body rigid_body(TriangleMesh surface, const Pose& pose = {},
                       const rigid::Settings& settings = {}) {
  for (Vec3& p : surface.points) p = pose.apply(p);
  return settings.create(solid_of(surface));
}

/// Inertia about the centre of mass, summed over the nodes [kg m^2].
inline Mat3 inertia_of_nodes(const Nodes& nodes) {
  const Vec3 centre = centre_of_mass(nodes);
  Mat3 sum = Mat3::Zero();
  for (int i = 0; i < nodes.size(); ++i) {
    const Vec3 r = nodes.position[i] - centre;
    sum += nodes.mass[i] * (r.squaredNorm() * Mat3::Identity() - r * r.transpose());
  }
  return sum;
}

/// The velocities of a rigid motion about the centre of mass.
inline void set_spinning(Body& body, const Vec3& velocity, const Vec3& spin) {
  const Vec3 centre = centre_of_mass(body.nodes);
  for (int i = 0; i < body.nodes.size(); ++i)
    body.nodes.velocity[i] = velocity + spin.cross(body.nodes.position[i] - centre);
}

/// What the world does, without contact.
inline void fly(Body& body, double h, int substeps, const Vec3& gravity, double start = 0) {
  for (int s = 0; s < substeps; ++s) {
    const Substep substep{h, start + s * h};
    drive(body, gravity, substep.time + h);
    body.method->advance(body.nodes, substep);
    body.method->finish(body.nodes, substep);
  }
}

}  // namespace pliant::test
