#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "geometry/mesh/triangle_mesh.h"

namespace pliant {

/// What faces look like.
struct Paint {
  std::string name;
  Vec3 color = Vec3::Ones();  // linear RGB, 0 to 1; an image is multiplied by it
  int image = -1;             // of Faces::images; -1 = none
};

/// Colors of a web page as proportional to light.
Vec3 linear_rgb(const Vec3& srgb);

/// PNG or JPEG, not decoded.
struct EncodedImage {
  std::string name;
  std::shared_ptr<const std::string> bytes;

  bool is_png() const { return bytes->starts_with("\x89PNG"); }
};

/// The faces of a surface as its file has them: polygons, texture coordinates, groups. Physics has
/// no use for them; output gives them back.
struct Faces {
  std::vector<int> start;           // corners of face f: start[f] .. start[f + 1]
  std::vector<int> vertex;          // per corner
  std::vector<int> texture;         // per corner: index into `uv`, -1 = none; empty = no textures
  std::vector<Eigen::Vector2f> uv;  // v upwards, as in OBJ
  std::vector<Triangle> cut;        // the faces in triangles; three corners each, not vertices
  std::vector<TriangleMesh::Group> groups;  // of faces, although the member is called triangles

  std::vector<int> paint;  // per face: index into `paints`, -1 = none; empty = no face has one
  std::vector<Paint> paints;
  std::vector<EncodedImage> images;
  std::vector<Eigen::Vector3f> colors;  // per vertex, linear RGB; empty = none

  int size() const { return start.empty() ? 0 : int(start.size()) - 1; }
  bool has_textures() const { return !texture.empty() && !uv.empty(); }
  bool has_paint() const { return !paint.empty() || !colors.empty(); }
  void remove_paint();
  /// Of the face that was added last.
  void set_paint(int of_last);

  /// A face with these corners, which was cut into `triangles` of vertices.
  void add(std::span<const int> vertices, std::span<const int> textures,
           std::span<const Triangle> triangles);

  /// Triangles of vertices.
  std::vector<Triangle> triangles() const;
};

Faces faces_of(const TriangleMesh& mesh);

/// A surface as its file had it, hung on a skin: what output needs to give back the file's own
/// vertices in the file's order, whatever was welded, turned or refined for physics.
struct Original {
  std::vector<int> vertex;              // per vertex of the file: the skin's vertex it moves with
  std::vector<Eigen::Vector3f> offset;  // [m] from there, for vertices of no face; or empty
  Faces faces;

  bool empty() const { return vertex.empty(); }
  void place(std::span<const Eigen::Vector3f> skin, std::vector<Eigen::Vector3f>& points) const;
};

/// Vertices told apart by their texture coordinates, as files with one texture coordinate per
/// vertex need them. The given vertices come first, in their order.
struct SplitVertices {
  std::vector<int> vertex;          // per new vertex: the given one
  std::vector<Eigen::Vector2f> uv;  // per new vertex; empty when the faces have none
  std::vector<Triangle> triangles;  // of new vertices
};
SplitVertices split_by_texture(const Faces& faces, int vertices);

}  // namespace pliant
