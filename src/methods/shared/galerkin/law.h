#pragma once

#include "materials/log_neo_hookean.h"
#include "math/types.h"

namespace pliant::galerkin {

/// Elastic law at a quadrature point. E and nu mean what they say for all of them.
///
/// - corotated: Hooke's law in a frame that turns with the material, sigma = 2 mu eps + lambda tr
///   eps, eps = sym(R^T F) - 1. R comes from outside, so that the paper's rule for it can be used;
///   with R = polar(F) stress is the gradient of the energy.
/// - log_neo_hookean: materials/log_neo_hookean.h. The one that cannot be flattened.
/// - neo_hookean: materials/neo_hookean.h. Finite when inverted: soft bodies with nu below 0.45 may
///   turn inside out in an impact.
/// - square_neo_hookean: log_neo_hookean with lambda/2 (J - 1)^2, as the shape matching element
///   method has it. Stepped as corotated bodies are.
/// - st_venant_kirchhoff: Hooke's law for Green's strain. Softens and collapses under compression.
struct Law {
  enum class Kind {
    log_neo_hookean,
    neo_hookean,
    corotated,
    st_venant_kirchhoff,
    square_neo_hookean
  };

  Kind kind = Kind::corotated;
  double mu = 0, lambda = 0;  // [Pa] Lame's
  NeoHookean rubber;

  static Law from(Kind kind, double young, double poisson);

  /// Of energies mu/2 F:F + g(J): those that implicit_step.h can step and wide_stiffness.h make
  /// forces of.
  bool is_neo_hookean() const { return kind == Kind::neo_hookean || kind == Kind::log_neo_hookean; }
  /// Of these: derivatives of g at J.
  LogNeoHookean::Pressure pressure(double J) const;

  double sideways() const;  // nu / (1 - nu): see body/skin_stress.h
  double shear() const { return kind == Kind::neo_hookean ? rubber.mu : mu; }  // [Pa] modulus
  bool needs_rotation() const { return kind == Kind::corotated; }

  double energy(const Mat3& F, const Mat3& R) const;  // per unit rest volume [J/m^3], 0 at rest
  Mat3 stress(const Mat3& F, const Mat3& R) const;    // first Piola-Kirchhoff [Pa]
  /// Change of stress with F, both by columns; symmetric and positive semi-definite: negative
  /// directions are set to zero.
  Mat9 tangent(const Mat3& F, const Mat3& R) const;
  /// The same for neo-Hookean laws without an eigenproblem: the part of the cofactor's change is
  /// held within +-mu / (largest stretch). Exact near rest. It may
  /// keep a negative direction, at which conjugate gradients stop.
  Mat9 clamped_tangent(const Mat3& F) const;
  /// The part of the corotated tangent that comes from R turning with F, where that is not
  /// negative: a twist a = axial(skew(R^T dF)) of the material adds R [Q a]x to the stress. Zero at
  /// rest, and what makes a taut string stiff sideways. Papers leave it out, and Newton's method
  /// then diverges from any slight bend of a stretched bar.
  Mat3 twist_stiffness(const Mat3& F, const Mat3& R) const;
  Mat3 cauchy(const Mat3& F, const Mat3& R) const;  // [Pa] J is kept away from 0
};

/// Change of the corotated stress for a change of F, with twist = law.twist_stiffness().
Mat3 corotated_change(const Law& law, const Mat3& R, const Mat3& twist, const Mat3& dF);

/// The same between two nodes: stiffness per volume for gradients a and b, both turned by R, and
/// `turned_twist` = R twist R^T.
Mat3 corotated_block(const Law& law, const Mat3& turned_twist, const Vec3& a, const Vec3& b);

/// Sets negative eigenvalues to zero; costs little where there are none.
void make_semi_definite(Mat9& H);

}  // namespace pliant::galerkin
