#pragma once

#include <chrono>
#include <string>

#include "play/run.h"

namespace pliant::cli {

/// Talks to the user on stderr: a progress bar on a terminal, plain lines elsewhere, nothing when
/// quiet.
class Terminal : public RunWatcher {
 public:
  explicit Terminal(bool quiet);
  ~Terminal() override;

  void note(const std::string& text) override;
  void warning(const std::string& text) override;  // shown even when quiet
  void progress(const char* what, int done, int total) override;
  bool stop() override;

 private:
  using Clock = std::chrono::steady_clock;

  void draw_bar(const char* what, int done, int total, double rate);
  void clear_bar();

  bool quiet_;
  bool interactive_;
  bool bar_shown_ = false;
  std::string stage_;  // what progress() counts at the moment
  Clock::time_point start_;
  Clock::time_point last_;  // when progress was last shown
  int first_ = 0;           // `done` when the stage began: a resumed run starts in the middle
};

}  // namespace pliant::cli
