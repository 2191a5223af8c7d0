#pragma once

namespace pliant::cli {

/// From now on Ctrl-C and SIGTERM only ask for an end; a second one ends at once.
void catch_signals();

/// The signal that asked, or 0.
int signal_caught();

}  // namespace pliant::cli
