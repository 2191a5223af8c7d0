#include "geometry/mesh/tet_mesh.h"

#include <algorithm>

#include "geometry/mesh/used_points.h"

namespace pliant {
namespace {

// Face f lies opposite corner f and faces outwards when the tet's volume is positive.
constexpr int face_corners[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};

Triangle face(const Tet& tet, int f) {
  return {tet[face_corners[f][0]], tet[face_corners[f][1]], tet[face_corners[f][2]]};
}

}  // namespace

double volume(const TetMesh& mesh, int tet) {
  const Tet& t = mesh.tets[tet];
  const Vec3& p = mesh.points[t[0]];
  return (mesh.points[t[1]] - p).cross(mesh.points[t[2]] - p).dot(mesh.points[t[3]] - p) / 6;
}

double volume(const TetMesh& mesh) {
  double sum = 0;
  for (int t = 0; t < int(mesh.tets.size()); ++t) sum += volume(mesh, t);
  return sum;
}

std::vector<Triangle> boundary_triangles(const TetMesh& mesh) {
  // Equal faces meet by sorting; the survivors come out in the order of their tets.
  struct Face {
    Triangle key;
    int index;  // 4 * tet + face
  };
  std::vector<Face> faces;
  faces.reserve(4 * mesh.tets.size());
  for (int t = 0; t < int(mesh.tets.size()); ++t) {
    for (int f = 0; f < 4; ++f) {
      Triangle key = face(mesh.tets[t], f);
      std::sort(key.begin(), key.end());
      faces.push_back({key, 4 * t + f});
    }
  }
  std::sort(faces.begin(), faces.end(), [](const Face& a, const Face& b) {
    return a.key != b.key ? a.key < b.key : a.index < b.index;
  });

  std::vector<int> single;
  for (std::size_t i = 0; i < faces.size();) {
    std::size_t end = i + 1;
    while (end < faces.size() && faces[end].key == faces[i].key) ++end;
    if (end == i + 1) single.push_back(faces[i].index);
    i = end;
  }
  std::sort(single.begin(), single.end());

  std::vector<Triangle> triangles;
  triangles.reserve(single.size());
  for (const int index : single) {
    Triangle t = face(mesh.tets[index / 4], index % 4);
    if (volume(mesh, index / 4) < 0) std::swap(t[1], t[2]);
    triangles.push_back(t);
  }
  return triangles;
}

TriangleMesh boundary_surface(const TetMesh& mesh) {
  TriangleMesh surface;
  surface.points = mesh.points;
  surface.triangles = boundary_triangles(mesh);
  keep_used_points(surface);
  return surface;
}

}  // namespace pliant
