#pragma once

#include <functional>

#include "geometry/mesh/tet_mesh.h"
#include "methods/meshless/meshless.h"
#include "methods/shared/galerkin/hex_block.h"

namespace pliant {

/// Settings of the meshless paper: its corotated law, which is what its experiments were made with.
meshless::Settings paper_settings();

/// A meshless body on a test rig: held somewhere, loaded somewhere, asked where a point went.
struct Rig {
  Body body;
  std::vector<Vec3> rest;  // [m] particles
  double spacing = 0;      // [m]
  meshless::Support support;

  Rig(const TriangleMesh& surface, const Material& material, double between,
      meshless::Settings settings = paper_settings(), const std::vector<Solid::Part>& parts = {});

  using Chosen = std::function<bool(const Vec3&)>;
  /// Holds the particles at chosen places.
  void hold(const Chosen& chosen);
  /// Spreads a force [N] evenly over the triangles whose corners are all chosen, cut into fine
  /// pieces so that the skin's resolution does not matter.
  void load(const Chosen& chosen, const Vec3& force);
  /// A pressure [Pa] on the same triangles, against their normals at rest.
  void press(const Chosen& chosen, double pressure);
  void weigh(const Vec3& gravity);
  void unload();

  StaticReport settle() { return body.method->solve_static(body.nodes); }
  /// Linear elasticity about the rest shape: movement of all particles. `stay` > 0 adds that share
  /// of the mass [1/s^2] to the stiffness, to keep what nothing holds from drifting.
  std::vector<Vec3> linear(double stay = 0);

  /// How far the body carried a point of its rest shape.
  Vec3 movement(const Vec3& rest_point) const;
  Vec3 movement(const Vec3& rest_point, const std::vector<Vec3>& particles_moved) const;

  /// The lowest frequency [Hz], by inverse iteration.
  double lowest_frequency();

 private:
  void push(const Triangle& t, const Vec3& per_area);
};

/// Tets as quadrature points: what linear elements make of the same problem.
galerkin::Points tet_points(const TetMesh& mesh);

/// Every cube of the block cut into six tets along one diagonal (Kuhn).
TetMesh kuhn_block(const Eigen::Vector3i& cells, const Vec3& size);

/// Linear deflection per load of a block of elements held at z = 0 and pulled down by a force
/// spread over z = size.z: movement of the end's middle [m].
Vec3 linear_tip(const galerkin::Points& points, const std::vector<Vec3>& nodes, const Vec3& size,
                double young, double poisson, const Vec3& force);

}  // namespace pliant
