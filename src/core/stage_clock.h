#pragma once

#include <chrono>
#include <vector>

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

}  // namespace pliant
