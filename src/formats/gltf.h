#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "core/function_ref.h"
#include "formats/faces.h"

namespace pliant {

/// One object of an animated scene, with the same triangles in every frame in which it is there. An
/// object that changes its triangles is several of these with one name, one after the other.
struct GlbMesh {
  std::string name;
  Vec3 color = Vec3::Constant(0.8);  // linear RGB, 0 to 1
  std::vector<Triangle> triangles;
  int vertices = 0;
  std::vector<Eigen::Vector2f> uv;  // per vertex, v upwards; or empty
  std::vector<int> place;  // per vertex: vertices with one number share a place and a normal, as on
                           // both sides of a texture seam; or empty
  // What its triangles look like; `color` where they have no paint.
  std::vector<int> paint = {};  // per triangle: index into `paints`, -1 = none; or empty
  std::vector<Paint> paints = {};
  std::vector<EncodedImage> images = {};
  std::vector<Eigen::Vector3f> colors = {};  // per vertex, linear RGB; or empty
  std::vector<Pose> poses;  // rigid: one per frame; empty: the points themselves move
  int first = 0;            // frame in which it is there first
  int last = -1;            // and last; -1 = to the end
};

struct GlbOptions {
  /// The most morph targets a mesh has. A longer film is cut into pieces, each a mesh of its own.
  int most_targets = 240;  // WebGL 2 promises room for 256
  std::string job;         // not empty: frames of an earlier attempt at this are used (FrameFile)
};

/// Writes a binary glTF 2.0 file (.glb) that Blender, browsers and game engines play at `fps`.
///
/// `positions(mesh, frame)` gives the `vertices` points of a mesh; what it returns is used before
/// the next call. It is asked for all meshes of frame 0 first, then of frame 1 and so on, twice
/// where pieces meet, and for frame 0 only of a rigid one, in its own coordinates; never of a mesh
/// that is not there. Memory: one
/// frame of all meshes, plus about 1 kB per mesh and frame for the description.
///
/// A deforming mesh is frame 0 plus one morph target (changes of position and normal) for each
/// later frame; the weights are one-hot at the keys, so that neighbouring frames blend. Each target
/// has a weight at each key, so the weights of a film of n frames would be n^2 numbers, in the file
/// and worse in the program that opens it; and graphics cards hold some hundred targets, not
/// thousands. So a long film is cut into pieces: meshes that follow each other, of which all but
/// one are scaled to nothing, which is how the standard hides a node. File size: 24 bytes per
/// vertex and frame, plus 8 bytes per vertex with texture coordinates, plus some 0.4 kB per mesh
/// and frame. Images are in the file as they are. One frame makes a still file without animation.
/// Meshes without triangles are left out.
///
/// The file appears whole or not at all. Throws IoError; NumericalError when a point is not finite
/// in float; InputError when the file would pass the 4 GiB that the format can hold.
void write_glb(const std::filesystem::path& path, std::span<const GlbMesh> meshes, int frames,
               double fps,
               FunctionRef<std::span<const Eigen::Vector3f>(int mesh, int frame)> positions,
               const GlbOptions& options = {});

}  // namespace pliant
