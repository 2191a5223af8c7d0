#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/function_ref.h"
#include "formats/faces.h"

namespace pliant {

/// One surface of an animated USD stage.
struct UsdaMesh {
  std::string name;
  Vec3 color = Vec3::Constant(0.8);                                   // linear RGB
  std::vector<Eigen::Vector3f> face_colors = {}, vertex_colors = {};  // instead, one for each
  int vertices = 0;
  Faces faces;  // of frame 0
  // Surfaces that change their faces: the frames, rising, from which on there are others, and
  // these.
  std::vector<int> changes = {};
  std::function<const Faces&(int frame)> faces_at = {};

  // A rigid one: its points are asked for in frame 0 only, in its own coordinates; one pose a
  // frame.
  std::vector<Pose> poses = {};

  // Of others, where they are known; one per vertex.
  std::function<std::span<const Eigen::Vector3f>(int frame)> velocities_at = {};  // [m/s]
  std::function<std::span<const Eigen::Vector3f>(int frame)> colors_at = {};      // linear RGB
  std::string field = {};  // name of a quantity, which is written as primvars:NAME
  std::function<std::span<const float>(int frame)> values_at = {};
};

/// Writes a USD stage in text (.usda): meshes under one root, y up, in metres, their points as time
/// samples, polygons, texture coordinates (primvars:st) and groups (GeomSubset) as the file had
/// them; time samples of these only where they change. Velocities (for motion blur), colors and
/// values are time samples, too. `positions(mesh, frame)` is asked for all frames of the first
/// mesh, then of the second; what else changes in passes of its own, in rising order. With a `job`,
/// after the frames that an earlier attempt at it has left (FrameFile). Memory: one frame. The file
/// appears whole or not at all. Throws IoError.
void write_usda(const std::filesystem::path& path, std::span<const UsdaMesh> meshes, int frames,
                double fps,
                FunctionRef<std::span<const Eigen::Vector3f>(int mesh, int frame)> positions,
                const std::string& job = {});

}  // namespace pliant
