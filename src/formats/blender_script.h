#pragma once

#include <filesystem>
#include <span>
#include <string>

namespace pliant {

/// A script for `blender --python PATH` that opens point caches: for each name NAME.obj moved by
/// NAME.pc2, both beside it, in a scene of that many frames a second, since .pc2 knows no rate.
/// Names are those of files. Throws IoError.
void write_blender_script(const std::filesystem::path& path, std::span<const std::string> names,
                          int frames, double fps);

}  // namespace pliant
