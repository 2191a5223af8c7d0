#pragma once

#include <functional>

#include "methods/shared/galerkin/galerkin_method.h"
#include "studies/cad_bodies.h"
#include "studies/study.h"
#include "world/world.h"

namespace pliant {

/// The paper's rubber beam: E 1 MPa, nu 0.45, 1000 kg/m^3.
Material paper_rubber();

/// The faces of a model of the folder, its numbers taken for metres as the paper does; nothing when
/// it is not there.
std::optional<std::vector<NurbsPatch>> paper_model(const std::string& file);
/// For rows that need one which is not there.
PaperRow skipped(const std::string& file);

/// A body with the paper's kinematics: held, loaded, asked where it went.
struct Specimen {
  Body body;
  std::vector<Vec3> rest;  // [m] control points

  Specimen(std::vector<NurbsPatch> patches, const Material& material,
           const nurbs::paper::Settings& settings, const std::vector<Solid::Part>& parts = {},
           galerkin::Law::Kind law = galerkin::Law::Kind::log_neo_hookean);

  galerkin::GalerkinMethod& method() const;
  const galerkin::Points& points() const { return method().elastic().points(); }

  using Chosen = std::function<bool(const Vec3&)>;
  /// Holds control points where the others are to be: `move` says where from their place at rest.
  void hold(const Chosen& chosen, const std::function<Vec3(const Vec3&)>& move = {});
  /// The same for control points of patches that lie in the chosen region as a whole.
  void hold_patches(const Chosen& chosen);
  void release();
  /// Weight as the kinematics distribute it: density times the row at each point.
  void weigh(const Vec3& gravity, double density);
  StaticReport settle() { return body.method->solve_static(body.nodes); }
  /// The skin as control points have it: [m] box around it.
  Box box();
  /// Smallest det F of all points, as of now.
  double least_J();
};

/// Drops a body on a floor at `height` below its lowest point, with a velocity.
World on_floor(Body body, double height, const Vec3& velocity, double up = 9.81);

}  // namespace pliant
