#include "formats/beside.h"

#include <algorithm>

#include "core/file_name.h"

namespace pliant {

namespace fs = std::filesystem;

std::optional<fs::path> file_beside(const fs::path& folder, const std::string& name) {
  const fs::path relative(name);
  if (name.empty() || relative.is_absolute() || name.find(':') != std::string::npos ||
      name.find('\\') != std::string::npos || name.find('\0') != std::string::npos ||
      name[0] == '~' || has_misleading_characters(name))
    return std::nullopt;
  for (const fs::path& part : relative)
    if (part == "..") return std::nullopt;
  std::error_code error;  // links are followed before the folder is checked
  const fs::path home = fs::weakly_canonical(folder.empty() ? fs::path(".") : folder, error);
  const fs::path target = fs::weakly_canonical(home / relative, error);
  const auto differ = std::mismatch(home.begin(), home.end(), target.begin(), target.end());
  if (error || differ.first != home.end()) return std::nullopt;
  return folder / relative;
}

}  // namespace pliant
