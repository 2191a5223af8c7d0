#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scene/build.h"

namespace pliant {

/// A largest value, and where on the body at rest it is.
struct Peak {
  double value = 0;
  Vec3 place = Vec3::Zero();  // [m]
};

/// What holds a body at one of its pins or handles.
struct Support {
  std::string name;            // "pins/0"
  Vec3 centre = Vec3::Zero();  // [m] middle of what it holds
  Vec3 force = Vec3::Zero();   // [N] on the body
  Vec3 moment = Vec3::Zero();  // [N m] about the centre
};

/// What an engineer asks of a body in equilibrium.
struct StaticFigures {
  std::string body;
  Peak displacement;        // [m]
  Peak stress;              // [Pa] von Mises, of the skin away from what holds or pushes it
  double blunt_stress = 0;  // [Pa] at the place of `stress`, as the mean of what lies around
  Peak stress_beside;       // [Pa] there: it may grow with every refinement
  double mean_stress = 0;   // [Pa] of all the skin by area
  std::optional<double> yield_strength;  // [Pa] least of its materials
  std::vector<Support> supports;
  /// Shares of the values by which they may be off, where the run found that out.
  std::optional<double> displacement_error, stress_error;

  std::optional<double> safety() const {
    if (!yield_strength || !(stress.value > 0)) return std::nullopt;
    return *yield_strength / stress.value;
  }
};

/// Of every body in the world as it is. Finds loads and handles anew, which no checkpoint has.
std::vector<StaticFigures> static_figures(BuiltScene& scene);

/// Lines for the terminal.
std::vector<std::string> told(const StaticFigures& figures);

/// As lines of a table with a header, and as an object for run.json.
std::string static_csv(const std::vector<StaticFigures>& bodies);
std::string static_json(const std::vector<StaticFigures>& bodies, const std::string& indent);

}  // namespace pliant
