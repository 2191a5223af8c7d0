#pragma once

#include "formats/gltf.h"
#include "play/recording.h"

namespace pliant {

/// What files show of a recorded body: the skin that is computed, or the vertices and faces of its
/// model file. A body that is not from a surface file, or whose skin was made anew on the way,
/// shows its skin. Keeps one frame.
class ShownSurface {
 public:
  explicit ShownSurface(bool original) : original_(original) {}

  /// Takes a frame. Frames must come from the same body.
  void show(const RecordedBody& body);

  const std::vector<Eigen::Vector3f>& points() const { return points_; }
  const std::vector<Triangle>& triangles() const { return triangles_; }
  const Faces& faces() const { return faces_; }
  /// One number per vertex of the skin, brought to the vertices shown.
  std::span<const float> values(const std::vector<float>& of_skin);
  int topology() const { return topology_; }  // of the body when faces() were made

 private:
  bool original_;
  bool shows_original_ = false;
  int topology_ = -1;
  std::vector<int> vertex_;  // of the skin, per vertex of the original
  std::vector<Eigen::Vector3f> points_;
  std::vector<Triangle> triangles_;
  Faces faces_;
  std::vector<float> values_;
};

/// The same for .glb, where a vertex has one texture coordinate only.
class GlbSurface {
 public:
  GlbSurface(const RecordedBody& first, bool original);

  const GlbMesh& mesh() const { return mesh_; }
  std::span<const Eigen::Vector3f> points(const RecordedBody& body);

 private:
  ShownSurface shown_;
  GlbMesh mesh_;
  std::vector<int> vertex_;  // empty: none is split
  std::vector<Eigen::Vector3f> points_;
};

}  // namespace pliant
