#include "materials/material.h"

#include <cmath>

namespace pliant {
namespace {

constexpr MaterialPreset presets[] = {
    // name, Young [Pa], Poisson, density [kg/m^3], damping [1/s], friction
    {"brain", 2e3, 0.49, 1040, 10, 0.3, "brain tissue, slow loading"},
    {"fat", 3e3, 0.49, 920, 8, 0.3, "adipose tissue"},
    {"liver", 5e3, 0.49, 1060, 8, 0.3, "healthy liver by elastography, 4 to 7 kPa"},
    {"jelly", 5e3, 0.49, 1030, 2, 0.4, "gelatine dessert, 3 to 10 kPa"},
    {"muscle", 2e4, 0.49, 1060, 8, 0.4, "relaxed muscle, across its fibres"},
    {"dough", 2e4, 0.48, 1150, 20, 0.8, "bread dough; elastic part only, no flow"},
    {"bread_dough", 2e4, 0.49, 1150, 20, 0.8, "dough that flows: kneaded, rolled, folded", 300, 20},
    {"foam", 5e4, 0.3, 30, 10, 0.7, "cushion foam, open-cell polyurethane"},
    {"taffy", 1e5, 0.49, 1300, 20, 0.8, "warm sugar mass that can be pulled", 500, 15},
    {"gel", 1e5, 0.49, 1060, 3, 0.6, "ballistic gelatine, 10 %"},
    {"soft_rubber", 4e5, 0.49, 1050, 3, 0.8, "Shore A 10: erasers, soft grips"},
    {"silicone", 6e5, 0.49, 1100, 3, 0.8, "casting silicone, Shore A 20"},
    {"rubber", 2.5e6, 0.49, 1100, 3, 0.8, "vulcanised natural rubber, Shore A 50"},
    {"clay", 3e6, 0.45, 1800, 20, 0.6, "modelling clay; elastic part only, no flow"},
    {"modelling_clay", 3e6, 0.45, 1800, 20, 0.6, "clay that keeps its dents", 5e4, 60},
    {"cork", 2e7, 0.05, 180, 5, 0.6, "bottle cork: hardly thickens when squeezed"},
    {"nylon", 2.7e9, 0.39, 1140, 2, 0.3, "polyamide 6, dry", 0, 0, 6e7},
    {"wood", 1e10, 0.35, 500, 2, 0.4, "pine along its grain; ours is alike in all directions"},
    {"concrete", 3e10, 0.2, 2400, 2, 0.7, "plain concrete; it does not crack here"},
    {"aluminium", 6.9e10, 0.33, 2700, 1, 0.4, "6061-T6: 69 GPa, yields at 276 MPa", 0, 0, 2.76e8},
    {"steel", 2.1e11, 0.29, 7850, 1, 0.4, "structural steel S235: 210 GPa, yields at 235 MPa", 0, 0,
     2.35e8},
};

constexpr double earth_gravity = 9.81;  // [m/s^2]

std::string known_names() {
  std::string names;
  for (const MaterialPreset& preset : presets) {
    if (!names.empty()) names += ", ";
    names += preset.name;
  }
  return names;
}

}  // namespace

void describe(Fields& fields, Material& material) {
  fields.shorthand("preset");
  fields.text("preset", material.preset,
              {.help = "a known material to start from; values beside it replace its own"});
  fields.number("young", material.young,
                {.unit = "Pa",
                 .above = 0,
                 .help = "stiffness in tension; jelly 5e3, rubber 2.5e6, steel 2.1e11",
                 .computed = "the preset's, or a twentieth of sag under its own weight"});
  fields.number("poisson", material.poisson,
                {.above = -1,
                 .at_most = 0.5,
                 .help = "sideways thinning; cork 0, rubber 0.49, 0.5 keeps the volume exactly",
                 .computed = "the preset's, or 0.45"});
  fields.number("density", material.density,
                {.unit = "kg/m^3",
                 .above = 0,
                 .help = "mass per volume; water 1000",
                 .computed = "the preset's, or 1000"});
  fields.number("damping", material.damping,
                {.unit = "1/s",
                 .at_least = 0,
                 .help = "how fast inner motion dies; falling and turning are never damped",
                 .computed = "the preset's, or 2"});
  fields.number("friction", material.friction,
                {.at_least = 0,
                 .at_most = 10,
                 .help = "Coulomb's coefficient; ice 0.05, rubber 0.8",
                 .computed = "the preset's, or 0.5"});
  fields.number("yield_strength", material.yield_strength,
                {.unit = "Pa",
                 .above = 0,
                 .help = "stress (von Mises) that it bears: static scenes tell the safety factor; "
                         "structural steel 2.35e8, nylon 6e7",
                 .computed = "the preset's, or not known"});
  fields.object("plastic", material.plastic,
                {.help = "how it flows and keeps its new shape; of tets, groups and clusters"});
  fields.check(material.preset.empty() || find_material_preset(material.preset), "preset",
               "is \"" + material.preset + "\"; known materials are " + known_names());
}

std::span<const MaterialPreset> material_presets() { return presets; }

const MaterialPreset* find_material_preset(const std::string& name) {
  for (const MaterialPreset& preset : presets)
    if (preset.name == name) return &preset;
  return nullptr;
}

void Material::take(const Material& values) {
  if (!values.preset.empty()) preset = values.preset;
  if (values.young) young = values.young;
  if (values.poisson) poisson = values.poisson;
  if (values.density) density = values.density;
  if (values.damping) damping = values.damping;
  if (values.friction) friction = values.friction;
  if (values.yield_strength) yield_strength = values.yield_strength;
  if (values.plastic) plastic = values.plastic;
}

Material completed(const Material& material, double size, double gravity) {
  Material full = material;
  const MaterialPreset* preset = find_material_preset(material.preset);
  const auto fill = [](std::optional<double>& value, double fallback) {
    if (!value) value = fallback;
  };
  if (preset) {
    fill(full.young, preset->young);
    fill(full.poisson, preset->poisson);
    fill(full.density, preset->density);
    fill(full.damping, preset->damping);
    fill(full.friction, preset->friction);
    if (preset->yield_strength > 0) fill(full.yield_strength, preset->yield_strength);
    if (preset->flow > 0 && !full.plastic) {
      full.plastic.emplace();
      full.plastic->yield = preset->yield;
      full.plastic->flow = preset->flow;
    }
  }
  fill(full.poisson, 0.45);
  fill(full.density, 1000);
  fill(full.damping, 2);
  fill(full.friction, 0.5);
  const double pull = gravity == 0 ? earth_gravity : std::abs(gravity);
  fill(full.young, 20 * *full.density * pull * size);
  return full;
}

Material elastic_material(double young, double poisson, double density, double damping) {
  Material material;
  material.young = young;
  material.poisson = poisson;
  material.density = density;
  material.damping = damping;
  return completed(material, 0, 0);
}

}  // namespace pliant
