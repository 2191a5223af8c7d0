#pragma once

#include <array>
#include <chrono>

namespace pliant {

/// The named parts of a step, in the order in which they happen.
enum class Phase { drive, advance, find_contacts, solve_contacts, finish, adapt, count };

inline constexpr std::array<const char*, std::size_t(Phase::count)> phase_names = {
    "drive", "advance", "find_contacts", "solve_contacts", "finish", "adapt"};

/// Wall time per phase [s]. Never part of the state: two equal runs differ here.
struct PhaseTimes {
  std::array<double, std::size_t(Phase::count)> seconds{};

  double& operator[](Phase phase) { return seconds[std::size_t(phase)]; }
};

/// Adds the life time of this object to one phase, or to a number of seconds.
class Timed {
 public:
  explicit Timed(double& seconds) : seconds_(seconds), start_(Clock::now()) {}
  Timed(PhaseTimes& times, Phase phase) : Timed(times[phase]) {}
  ~Timed() { seconds_ += std::chrono::duration<double>(Clock::now() - start_).count(); }
  Timed(const Timed&) = delete;
  Timed& operator=(const Timed&) = delete;

 private:
  using Clock = std::chrono::steady_clock;
  double& seconds_;
  Clock::time_point start_;
};

}  // namespace pliant
