#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace pliant {

/// The path of a file that a model in `folder` names, when it lies there or in a folder below: a
/// relative name without "..", schemes, marks that mislead the eye, or links that lead out. Nothing
/// else that a model names is ever opened.
std::optional<std::filesystem::path> file_beside(const std::filesystem::path& folder,
                                                 const std::string& name);

}  // namespace pliant
