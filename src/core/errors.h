#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace pliant {

/// What the program returns to its caller. 130 (interrupted) is added by the shell convention.
enum class ExitCode {
  ok = 0,
  internal = 1,
  bad_input = 2,
  io = 3,
  numerical = 4,
  interrupted = 130
};

/// One thing wrong with what the user gave us: where, what was found and what is allowed.
struct Problem {
  std::string file;   // as the user named it; empty for command-line arguments
  std::string where;  // JSON path ("/bodies/2/material/poisson"), "line 12", or empty
  std::string what;   // a sentence without the place: "is 0.62; it must be at most 0.5"
  std::string hint;   // optional second line: the field's help, or what to try
};

/// "file: where what", and the hint on an indented second line.
std::string to_string(const Problem& problem);

/// Bad input: collected while loading, thrown once with every problem. Never thrown by a step.
class InputError : public std::runtime_error {
 public:
  explicit InputError(std::vector<Problem> problems);
  InputError(std::string file, std::string where, std::string what, std::string hint = "");

  const std::vector<Problem>& problems() const { return problems_; }

 private:
  std::vector<Problem> problems_;
};

/// The disk or another program failed us: names the file and the system's reason.
class IoError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  /// Appends the text of `errno`.
  static IoError from_errno(const std::string& what);
};

/// The state is no longer finite. What was recorded before stays valid.
class NumericalError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace pliant
