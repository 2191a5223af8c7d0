#pragma once

#include "body/solid.h"
#include "methods/nurbs/kinematics.h"
#include "methods/shared/galerkin/galerkin_method.h"

namespace pliant::nurbs {

/// CAD models as solids: control points and a few particles inside are the unknowns, so every frame
/// is again a CAD model. Faces may leave gaps, overlap and be trimmed; nobody makes a mesh. A plain
/// surface is taken with its triangles as faces.
class Settings final : public MethodSettings {
 public:
  KinematicsSettings kinematics;
  galerkin::Law::Kind law = galerkin::Law::Kind::log_neo_hookean;
  galerkin::Rules rules;

  void describe(Fields& fields) override;
  Body create(const Solid& solid) const override;
  bool moves_patches() const override { return true; }
};

}  // namespace pliant::nurbs
