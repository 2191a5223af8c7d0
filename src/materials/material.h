#pragma once

#include <optional>
#include <span>
#include <string>

#include "core/fields.h"
#include "materials/plastic.h"

namespace pliant {

/// What a user says about a material, in SI units. Values left out come from the preset, then from
/// the defaults.
struct Material {
  std::string preset;             // a name of material_presets(), or empty
  std::optional<double> young;    // [Pa] left out: a twentieth of sag under its own weight
  std::optional<double> poisson;  // default 0.45
  std::optional<double> density;  // [kg/m^3] default 1000
  std::optional<double> damping;  // [1/s] how fast inner motion dies, never rigid motion. Default 2
  std::optional<double> friction;  // Coulomb, default 0.5
  /// [Pa] von Mises stress that it bears without yielding: for the safety factor of static scenes,
  /// nothing flows. Left out: the preset's, or not known.
  std::optional<double> yield_strength;
  std::optional<Plastic> plastic;  // left out: it always returns to its shape

  /// Every value that `values` gives replaces the one here; its preset too, if it names one.
  void take(const Material& values);
  bool is_complete() const { return young && poisson && density && damping && friction; }
};

/// A complete one for programs, with the usual friction. [Pa], [1], [kg/m^3], [1/s]
Material elastic_material(double young, double poisson, double density = 1000, double damping = 0);

/// A material may also be written as a bare preset name. Unknown names are reported with the known
/// ones.
void describe(Fields& fields, Material& material);

struct MaterialPreset {
  const char* name;
  double young, poisson, density, damping, friction;
  const char* help;           // where the numbers come from, in words
  double yield = 0;           // [Pa] of those that flow
  double flow = 0;            // [1/s]; 0 = elastic
  double yield_strength = 0;  // [Pa] 0 = not known
};

/// From soft to stiff. Stiffness, density and Poisson's ratio are usual values from tables for the
/// stuff named; damping and friction are rough and meant to be changed.
std::span<const MaterialPreset> material_presets();
const MaterialPreset* find_material_preset(const std::string& name);

/// Fills every value that is missing: preset first, then defaults. A missing Young's modulus
/// becomes 20 * density * gravity * size, so that the body sags by about a twentieth; where gravity
/// is zero, that of the Earth is taken instead.
Material completed(const Material& material, double size, double gravity);

}  // namespace pliant
