#pragma once

#include <string>
#include <vector>

#include "scene/build.h"

namespace pliant {

/// One line of metrics.csv per frame. Columns that end in _ms are wall times: the only ones that
/// differ between two runs of the same scene.
class Metrics {
 public:
  explicit Metrics(const BuiltScene& scene);

  std::string header(const BuiltScene& scene) const;
  std::string row(int frame, const BuiltScene& scene, const StepReport& report) const;

 private:
  bool has_parts_ = false;  // some body changes its nodes
};

}  // namespace pliant
