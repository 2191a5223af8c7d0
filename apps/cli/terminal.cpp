#include "terminal.h"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <unistd.h>

#include "signals.h"

namespace pliant::cli {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::string duration(double seconds) {
  const int whole = int(seconds + 0.5);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

}  // namespace

Terminal::Terminal(bool quiet) : quiet_(quiet), interactive_(::isatty(STDERR_FILENO) == 1) {}

Terminal::~Terminal() { clear_bar(); }

void Terminal::note(const std::string& text) {
  if (quiet_) return;
  clear_bar();
  fmt::print(stderr, "{}\n", text);
}

void Terminal::warning(const std::string& text) {
  clear_bar();
  fmt::print(stderr, "warning: {}\n", text);
}

bool Terminal::stop() { return signal_caught() != 0; }

void Terminal::progress(const char* what, int done, int total) {
  if (quiet_) return;
  if (stage_ != what) {
    stage_ = what;
    first_ = done;
    start_ = last_ = Clock::now();
    if (!interactive_) return;
  }
  const bool end = done >= total;
  // Ten pictures a second on a terminal; a line every ten seconds and at the end elsewhere.
  if (!end && seconds_since(last_) < (interactive_ ? 0.1 : 10.0)) return;
  last_ = Clock::now();
  const double elapsed = seconds_since(start_);
  const double rate = elapsed > 0 ? (done - first_) / elapsed : 0;
  if (interactive_) draw_bar(what, done, total, rate);
  else if (done > first_)
    fmt::print(stderr, "{}: frame {} of {}, {:.1f} frames/s\n", what, done, total, rate);
  if (end && interactive_) {
    clear_bar();
    if (done > first_)
      fmt::print(stderr, "{}: {} frames in {}, {:.1f} frames/s\n", what, done - first_,
                 duration(elapsed), rate);
  }
}

void Terminal::draw_bar(const char* what, int done, int total, double rate) {
  constexpr int width = 30;
  const int filled = total > 0 ? width * std::min(done, total) / total : width;
  const std::string left =
      rate > 0 ? fmt::format("{:.1f} frames/s, {} left", rate, duration((total - done) / rate))
               : "";
  fmt::print(stderr, "\r\033[K{} [{}{}] {}/{}  {}", what, std::string(std::size_t(filled), '#'),
             std::string(std::size_t(width - filled), '.'), done, total, left);
  std::fflush(stderr);
  bar_shown_ = true;
}

void Terminal::clear_bar() {
  if (!bar_shown_) return;
  fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
  bar_shown_ = false;
}

}  // namespace pliant::cli
