#pragma once

#include "core/stage_clock.h"
#include "methods/nurbs/fit.h"
#include "methods/nurbs/paper/settings.h"
#include "methods/shared/galerkin/points.h"
#include "methods/shared/galerkin/quadratic_form.h"

namespace pliant::nurbs {

/// Lengths that follow the thickness are at least this share of the longest side.
constexpr double least_length = 0.03;

struct KinematicsSettings {
  double spans = 1.5;      // longest span in local thicknesses; 0 = the net stays as it is
  double density = 0.6;    // spacing of samples in local thicknesses
  double coarsest = 0.12;  // largest spacing, as a share of the longest side
  int voxels = 8000;       // inside the solid; eight make an energy point
  double stitch = 10;      // stiffness of seams, in Young's moduli times their length; 0 = none
  std::optional<paper::Settings> paper;  // its kinematics instead
};

/// A constraint that is kept by energy, zero for affine motion: weight in Young's moduli [m].
struct ErrorRow : galerkin::SquaredSum {
  Vec3 place = Vec3::Zero();
};

/// A solid of NURBS patches as nodes (control points, loose points, particles), energy points and
/// error rows.
struct Kinematics {
  Net net;
  std::vector<Vec3> node;   // [m] at rest
  galerkin::Points points;  // rows over the nodes
  std::vector<ErrorRow> error;
  int samples = 0, particles = 0, seams = 0;
  double closest = 0, widest = 0;  // [m] distances of samples
  Lengths lengths;
  int voxels = 0;
  double voxel = 0;          // [m] their edge
  int unfitted = 0;          // places without a fit, which were left out
  double occupied = 0;       // [m^3] volume of the voxels
  double consistency = 0;    // how far constant and linear fields are from exact
  double least_spacing = 0;  // [m]
  double thin_share = 0;     // of the surface: asks for closer samples than there may be
  double thin_below = 0;     // [m] thickness of such places
  int pieces = 1;            // of the solid that do not hang together
  int left_out = 0;          // voxels of pieces too small to have a stiffness
  StageClock clock;
  std::vector<std::string> notes;  // a sentence each
};
/// `surface`: the same patches as triangles that look outwards, for what is inside, and the
/// triangles of the `loose` points.
Kinematics make_kinematics(const std::vector<NurbsPatch>& patches, const TriangleMesh& surface,
                           const KinematicsSettings& settings, const LoosePoints& loose = {});

}  // namespace pliant::nurbs
