#pragma once

namespace pliant::cli {

/// A closed terminal, a dead ffmpeg or a file that may not grow is an error message, not our death.
void outlive_broken_pipes();

/// From now on Ctrl-C and SIGTERM only ask for an end, and a terminal is told so; a second one ends
/// at once, and so does the first one before this: until there is something to keep, nobody wants
/// to wait.
void catch_signals();

/// The signal that asked, or 0.
int signal_caught();

}  // namespace pliant::cli
