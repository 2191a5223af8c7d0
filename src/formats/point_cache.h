#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "core/function_ref.h"
#include "math/types.h"

namespace pliant {

/// The points of one frame; what is returned is used before the next call. Frames are asked for in
/// rising order.
using FramePoints = FunctionRef<std::span<const Eigen::Vector3f>(int frame)>;

/// Point caches: nothing but the positions of a mesh whose vertices keep their number and order,
/// for Blender's Mesh Cache modifier, Maya, Houdini and others. Written frame by frame; with a
/// `job` after the frames that an earlier attempt at it has left (FrameFile). The file appears
/// whole or not at all. Throws IoError; InputError when two frames differ in their number of
/// points.
void write_pc2(const std::filesystem::path& path, int points, int frames, FramePoints positions,
               const std::string& job = {});
/// The same with times [s] and bytes in the other order.
void write_mdd(const std::filesystem::path& path, int points, std::span<const double> times,
               FramePoints positions, const std::string& job = {});

}  // namespace pliant
