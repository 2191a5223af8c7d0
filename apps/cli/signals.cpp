#include "signals.h"

#include <signal.h>
#include <unistd.h>

namespace pliant::cli {
namespace {

volatile sig_atomic_t caught = 0;

volatile sig_atomic_t has_terminal = 0;

extern "C" void on_signal(int signal) {
  if (caught != 0) _exit(128 + signal);  // everything on disk is whole at any moment
  caught = signal;
  constexpr char said[] = "\nstopping when this frame is done; again: at once\n";
  if (has_terminal != 0 && ::write(STDERR_FILENO, said, sizeof said - 1) < 0) return;
}

}  // namespace

void outlive_broken_pipes() {
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
}

void catch_signals() {
  has_terminal = ::isatty(STDERR_FILENO);
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

int signal_caught() { return caught; }

}  // namespace pliant::cli
