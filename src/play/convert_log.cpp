#include "play/convert_log.h"

#include <sstream>

#include "core/hash.h"

namespace pliant {
namespace {

constexpr std::size_t digits = 16;  // of a job

}  // namespace

ConvertLog::ConvertLog(const std::filesystem::path& folder) : folder_(folder) {
  const std::filesystem::path path = folder / "convert.log";
  if (std::filesystem::is_regular_file(path)) {
    std::istringstream lines(read_text_file(path));
    for (std::string line; std::getline(lines, line);)
      if (line.size() > digits + 1) jobs_[line.substr(digits + 1)] = line.substr(0, digits);
  }
  // Written anew, since a kill may have left half a line, and files made again have several.
  std::string text;
  for (const auto& [name, job] : jobs_) text += job + ' ' + name + '\n';
  write_file(path, text);
  file_.emplace(path, text.size());
}

std::string ConvertLog::name_of(const std::filesystem::path& file) const {
  return file.lexically_relative(folder_).generic_string();
}

bool ConvertLog::has(const std::filesystem::path& file, std::uint64_t job) const {
  const auto known = jobs_.find(name_of(file));
  return known != jobs_.end() && known->second == hex(job) && std::filesystem::exists(file);
}

void ConvertLog::add(const std::filesystem::path& file, std::uint64_t job) {
  const std::string name = name_of(file);
  jobs_[name] = hex(job);
  file_->append(hex(job) + ' ' + name + '\n');
}

}  // namespace pliant
