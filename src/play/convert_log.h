#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "core/files.h"

namespace pliant {

/// convert.log of a folder: which of its files are whole, and of what each was made (a fingerprint
/// of the recorded frames and the options). So a conversion that goes on keeps what it would make
/// again, and nothing that is of another run or was asked for in another way.
class ConvertLog {
 public:
  explicit ConvertLog(const std::filesystem::path& folder);

  bool has(const std::filesystem::path& file, std::uint64_t job) const;
  /// To be called when the file is whole.
  void add(const std::filesystem::path& file, std::uint64_t job);

 private:
  std::string name_of(const std::filesystem::path& file) const;

  std::filesystem::path folder_;
  std::map<std::string, std::string> jobs_;  // by file
  std::optional<GrowingFile> file_;
};

}  // namespace pliant
