#include "formats/model_images.h"

#include <algorithm>
#include <fmt/format.h>

#include "core/errors.h"
#include "core/files.h"
#include "formats/beside.h"
#include "formats/problems.h"
#include "formats/text.h"

namespace pliant {

namespace fs = std::filesystem;

int ModelImages::refuse(const std::string& name, const std::string& what) {
  warn(warnings_, file_,
       fmt::format("the image {} {}; its color is shown alone", in_quotes(name), what));
  return -1;
}

int ModelImages::from_file(const std::string& written) {
  const auto [known, is_new] = known_.try_emplace(written, -1);
  if (!is_new) return known->second;
  std::string name = written;
  std::replace(name.begin(), name.end(), '\\', '/');
  const fs::path folder = fs::path(file_).parent_path();
  std::error_code ignored;
  std::optional<fs::path> path = file_beside(folder, name);
  if (!path || !fs::is_regular_file(*path, ignored))
    path = file_beside(folder, fs::path(name).filename().string());
  if (!path || !fs::is_regular_file(*path, ignored))
    return refuse(written, "is not in the model's folder");
  if (fs::file_size(*path, ignored) > most_bytes)
    return refuse(written, fmt::format("is larger than {} MB", most_bytes >> 20));
  try {
    return known->second = from_bytes(path->filename().string(), read_text_file(*path));
  } catch (const IoError& error) {
    return refuse(written, error.what());
  } catch (const InputError& error) {
    return refuse(written, error.problems().front().what);
  }
}

int ModelImages::from_bytes(const std::string& name, std::string bytes) {
  if (!bytes.starts_with("\x89PNG\r\n\x1a\n") && !bytes.starts_with("\xff\xd8\xff"))
    return refuse(name, "is neither PNG nor JPEG");
  if (bytes.size() > most_bytes - std::min(taken_, most_bytes) ||
      faces_.images.size() >= most_images)
    return refuse(name, fmt::format("is one too many: up to {} MB and {} are kept",
                                    most_bytes >> 20, most_images));
  taken_ += bytes.size();
  faces_.images.push_back({name, std::make_shared<const std::string>(std::move(bytes))});
  return int(faces_.images.size()) - 1;
}

}  // namespace pliant
