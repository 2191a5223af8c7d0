#pragma once

#include <span>
#include <string>
#include <vector>

#include "geometry/mesh/triangle_mesh.h"

namespace pliant {

/// The faces of a surface as its file has them: polygons, texture coordinates, groups. Physics has
/// no use for them; output gives them back.
struct Faces {
  std::vector<int> start;           // corners of face f: start[f] .. start[f + 1]
  std::vector<int> vertex;          // per corner
  std::vector<int> texture;         // per corner: index into `uv`, -1 = none; empty = no textures
  std::vector<Eigen::Vector2f> uv;  // v upwards, as in OBJ
  std::vector<Triangle> cut;        // the faces in triangles; three corners each, not vertices
  std::vector<TriangleMesh::Group> groups;  // of faces, although the member is called triangles

  int size() const { return start.empty() ? 0 : int(start.size()) - 1; }
  bool has_textures() const { return !texture.empty() && !uv.empty(); }

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
