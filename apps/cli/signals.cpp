#include "signals.h"

#include <signal.h>
#include <unistd.h>

namespace pliant::cli {
namespace {

volatile sig_atomic_t caught = 0;

extern "C" void on_signal(int signal) {
  if (caught != 0) _exit(128 + signal);  // everything on disk is whole at any moment
  caught = signal;
}

}  // namespace

void catch_signals() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  signal(SIGPIPE, SIG_IGN);  // a closed terminal, a dead ffmpeg or a file that may not grow
  signal(SIGXFSZ, SIG_IGN);  // is an error message, not our death
}

int signal_caught() { return caught; }

}  // namespace pliant::cli
