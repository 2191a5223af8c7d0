#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "core/function_ref.h"
#include "math/types.h"

namespace pliant {

/// One object of an animated scene, with the same triangles in every frame.
struct GlbMesh {
  std::string name;
  Vec3 color = Vec3::Constant(0.8);  // linear RGB, 0 to 1
  std::vector<Triangle> triangles;
  int vertices = 0;
  std::vector<Eigen::Vector2f> uv;  // per vertex, v upwards; or empty
  std::vector<int> place;  // per vertex: vertices with one number share a place and a normal, as on
                           // both sides of a texture seam; or empty
  std::vector<Pose> poses;  // rigid: one per frame; empty: the points themselves move
};

/// Writes a binary glTF 2.0 file (.glb) that Blender, browsers and game engines play at `fps`.
///
/// `positions(mesh, frame)` gives the `vertices` points of a mesh; what it returns is used before
/// the next call. It is asked once for each frame of a deforming mesh, all meshes of frame 0 first,
/// then of frame 1 and so on, and for frame 0 only of a rigid one, in its own coordinates. Memory:
/// one frame of all meshes, plus about 1 kB per mesh and frame for the description.
///
/// A deforming mesh is frame 0 plus one morph target (changes of position and normal) for each
/// later frame; the weights are one-hot at the keys, so that neighbouring frames blend. File size:
/// 24 bytes per vertex and frame, plus 8 bytes per vertex with texture coordinates, plus 4 frames
/// (frames - 1) bytes for the weights, which all meshes share: 0.4 MB for 300 frames, 36 MB for
/// 3000. Longer films are better cut into pieces. One frame makes a still file without animation.
/// Meshes without triangles are left out.
///
/// The file appears whole or not at all. Throws IoError; NumericalError when a point is not finite
/// in float; InputError when the file would pass the 4 GiB that the format can hold.
void write_glb(const std::filesystem::path& path, std::span<const GlbMesh> meshes, int frames,
               double fps,
               FunctionRef<std::span<const Eigen::Vector3f>(int mesh, int frame)> positions);

}  // namespace pliant
