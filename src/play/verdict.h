#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "body/body.h"

namespace pliant {

/// What a user should know of a run that did not go as well as it looks: sentences, none where all
/// went well.
struct Verdict {
  std::vector<std::string> warnings, notes;
};

/// What a run is measured by.
struct RunScale {
  int substeps;  // of a frame
  double size;   // [m] of the smallest body
  int nodes;     // of all bodies
  double fps = 60;
  /// [J] that falls of all bodies by their own sizes would give; below 0 = something does work on
  /// them, so that their energy tells nothing.
  double fall = -1;
  bool keeps_volume = true;  // no body that deforms is of a material that is easily squeezed
};

/// Told by metrics.csv, so that a resumed run says the same as an undisturbed one.
Verdict verdict_of(std::string_view metrics, const RunScale& scale);

/// The same of a static run; `unbalanced`: in how many frames no equilibrium was found.
struct StaticVerdict {
  int unbalanced = 0;
  std::vector<std::string> warnings;
};
StaticVerdict static_verdict_of(std::string_view metrics);

/// A warning about a body whose skin passes through itself, more than as it was built; empty if it
/// does not. What was squeezed through itself is left alone by contact, and so in no metrics.
std::string self_overlap(const Body& body);

}  // namespace pliant
