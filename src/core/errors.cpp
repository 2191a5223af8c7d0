#include "core/errors.h"

#include <cerrno>
#include <cstring>

namespace pliant {
namespace {

std::string joined(const std::vector<Problem>& problems) {
  std::string text;
  for (const Problem& problem : problems) {
    if (!text.empty()) text += '\n';
    text += to_string(problem);
  }
  return text;
}

}  // namespace

std::string to_string(const Problem& problem) {
  std::string text = problem.file;
  if (!text.empty()) text += ": ";
  text += problem.where;
  if (!problem.where.empty()) text += ' ';
  text += problem.what;
  if (!problem.hint.empty()) text += "\n    " + problem.hint;
  return text;
}

InputError::InputError(std::vector<Problem> problems)
    : std::runtime_error(joined(problems)), problems_(std::move(problems)) {}

InputError::InputError(std::string file, std::string where, std::string what, std::string hint)
    : InputError(std::vector<Problem>{
          {std::move(file), std::move(where), std::move(what), std::move(hint)}}) {}

IoError IoError::from_errno(const std::string& what) {
  return IoError(what + ": " + std::strerror(errno));
}

}  // namespace pliant
