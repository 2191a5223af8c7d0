#pragma once

#include <optional>

#include "formats/gltf.h"
#include "play/recording.h"

namespace pliant {

/// What files show of a recorded body: the skin that is computed, or the vertices and faces of its
/// model file. A body that is not from a surface file, or whose skin was made anew on the way,
/// shows its skin: with the file's texture coordinates and groups where it is known what became of
/// them (TracedFaces). Keeps one frame.
class ShownSurface {
 public:
  explicit ShownSurface(bool original) : original_(original) {}

  /// Takes a frame. Frames must come from the same body. Without `faces` only the points are
  /// wanted.
  void show(const RecordedBody& body, bool faces = true);

  const std::vector<Eigen::Vector3f>& points() const { return points_; }
  const std::vector<Triangle>& triangles() const { return triangles_; }
  const Faces& faces() const { return faces_; }
  /// One number per vertex of the skin, brought to the vertices shown.
  std::span<const float> values(const std::vector<float>& of_skin);
  bool shows_original() const { return shows_original_; }

 private:
  bool original_;
  bool shows_original_ = false;
  std::optional<TracedFaces> traced_;
  int topology_ = -1;
  bool has_faces_ = false;   // of that topology
  std::vector<int> vertex_;  // of the skin, per vertex of the original
  std::vector<Eigen::Vector3f> points_;
  std::vector<Triangle> triangles_;
  Faces faces_;
  std::vector<float> values_;
};

/// All bodies and colliders of a recording for a .glb, where a vertex has one texture coordinate
/// only and a mesh keeps its triangles: a new mesh begins where a body's triangles change. Memory:
/// one frame, and the triangles of every mesh.
class GlbSurfaces {
 public:
  /// `frames`: those to be shown. Looks through all of them once.
  GlbSurfaces(RecordingReader& recording, std::vector<int> frames, bool original);

  /// The frames, or only every second, third and so on of them where bodies that change their
  /// triangles would make the file larger than 400 MB.
  const std::vector<int>& frames() const { return frames_; }
  int every() const { return every_; }
  const std::vector<GlbMesh>& meshes() const { return meshes_; }
  /// Of a mesh in one of frames().
  std::span<const Eigen::Vector3f> points(int mesh, int frame);

 private:
  struct Size {
    int topology;
    std::size_t vertices, triangles;
  };
  void thin_out(const std::vector<std::vector<Size>>& sizes);
  void add_meshes(bool original);
  void add_colliders();
  GlbMesh mesh_of(const RecordedBody& body, const ShownSurface& shown,
                  std::vector<int>& split) const;

  RecordingReader& recording_;
  std::vector<int> frames_;
  int every_ = 1;
  std::vector<GlbMesh> meshes_;
  std::vector<int> body_;                // per mesh; colliders come after them
  std::vector<std::vector<int>> split_;  // per mesh: shown vertices; empty: none is divided
  std::vector<ShownSurface> shown_;      // per body
  std::vector<Eigen::Vector3f> points_;
};

/// A sentence for the user about every().
std::string told_thinned(const GlbSurfaces& surfaces);

}  // namespace pliant
