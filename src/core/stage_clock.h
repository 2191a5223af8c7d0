#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "core/formatted.h"

namespace pliant {

/// Wall time of a longer piece of work, stage by stage. For reports, never part of a state.
class StageClock {
 public:
  struct Stage {
    const char* name;
    double seconds;
  };

  /// Ends a stage that began where the last one ended.
  void end(const char* name) {
    const Clock::time_point now = Clock::now();
    stages.push_back({name, std::chrono::duration<double>(now - start_).count()});
    start_ = now;
  }
  std::vector<Stage> stages;

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

/// "1.42 s: inside 0.31, net 0.02, ..."; empty for no stages.
inline std::string in_words(const std::vector<StageClock::Stage>& stages) {
  std::string each;
  double sum = 0;
  for (const StageClock::Stage& stage : stages) {
    each +=
        (each.empty() ? ": " : ", ") + std::string(stage.name) + formatted(" %.2f", stage.seconds);
    sum += stage.seconds;
  }
  return stages.empty() ? "" : formatted("%.2f s", sum) + each;
}

}  // namespace pliant
