#pragma once

#include <optional>
#include <span>
#include <string>

#include "core/fields.h"

namespace pliant {

/// What a user says about a material, in SI units. Values left out come from the preset, then from the defaults.
struct Material {
  std::string preset;             // a name of material_presets(), or empty
  std::optional<double> young;    // [Pa] left out: chosen so that its own weight squeezes the body a little
  std::optional<double> poisson;  // default 0.45
  std::optional<double> density;  // [kg/m^3] default 1000
  std::optional<double> damping;  // [1/s] how fast inner motion dies; rigid motion is never damped. Default 2
  std::optional<double> friction;  // Coulomb, default 0.5

  bool is_complete() const { return young && poisson && density && damping && friction; }
};

void describe(Fields& fields, Material& material);

struct MaterialPreset {
  const char* name;
  double young, poisson, density, damping, friction;
  const char* help;  // where the numbers come from, in words
};

std::span<const MaterialPreset> material_presets();
const MaterialPreset* find_material_preset(const std::string& name);

/// Fills every value that is missing: preset first, then defaults. A missing Young's modulus becomes
/// 20 * density * gravity * size, so that the body sags by about a twentieth.
Material completed(const Material& material, double size, double gravity);

}  // namespace pliant
