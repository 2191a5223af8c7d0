#include "formats/faces.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/assert.h"

namespace pliant {

void Faces::add(std::span<const int> vertices, std::span<const int> textures,
                std::span<const Triangle> triangles) {
  if (start.empty()) start.push_back(0);
  const int first = start.back();
  vertex.insert(vertex.end(), vertices.begin(), vertices.end());
  // Texture indices begin with the first face that has them.
  if (!textures.empty()) texture.resize(std::size_t(first), -1);
  if (!textures.empty() || !texture.empty()) {
    for (std::size_t k = 0; k < vertices.size(); ++k)
      texture.push_back(textures.empty() ? -1 : textures[k]);
  }
  start.push_back(int(vertex.size()));
  const auto corner_of = [&](int v) {
    const auto at = std::find(vertices.begin(), vertices.end(), v);
    ASSERT(at != vertices.end(), "a triangle of a face has the face's corners");
    return first + int(at - vertices.begin());
  };
  // Triangles of one face name its corners again and again; large polygons keep a map.
  if (vertices.size() <= 16) {
    for (const Triangle& t : triangles)
      cut.push_back({corner_of(t[0]), corner_of(t[1]), corner_of(t[2])});
    return;
  }
  std::map<int, int> corner;
  for (std::size_t k = 0; k < vertices.size(); ++k) corner.try_emplace(vertices[k], first + int(k));
  for (const Triangle& t : triangles) cut.push_back({corner[t[0]], corner[t[1]], corner[t[2]]});
}

Vec3 linear_rgb(const Vec3& srgb) {
  return srgb.unaryExpr(
      [](double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); });
}

void Faces::remove_paint() {
  paint.clear();
  paints.clear();
  images.clear();
  colors.clear();
}

void Faces::set_paint(int of_last) {
  ASSERT(of_last >= -1 && of_last < int(paints.size()), "a paint that there is");
  if (of_last < 0 && paint.empty()) return;  // begins with the first face that has one
  paint.resize(std::size_t(size()), -1);
  paint.back() = of_last;
}

std::vector<Triangle> Faces::triangles() const {
  std::vector<Triangle> result;
  result.reserve(cut.size());
  for (const Triangle& t : cut) result.push_back({vertex[t[0]], vertex[t[1]], vertex[t[2]]});
  return result;
}

Faces faces_of(const TriangleMesh& mesh) {
  Faces faces;
  for (const Triangle& t : mesh.triangles) faces.add(t, {}, {&t, 1});
  faces.groups = mesh.groups;
  return faces;
}

void Original::place(std::span<const Eigen::Vector3f> skin,
                     std::vector<Eigen::Vector3f>& points) const {
  points.resize(vertex.size());
  for (std::size_t v = 0; v < vertex.size(); ++v) {
    points[v] = skin[std::size_t(vertex[v])];
    if (!offset.empty()) points[v] += offset[v];
  }
}

SplitVertices split_by_texture(const Faces& faces, int vertices) {
  SplitVertices result;
  result.vertex.resize(std::size_t(vertices));
  for (int v = 0; v < vertices; ++v) result.vertex[v] = v;
  if (!faces.has_textures()) {
    result.triangles = faces.triangles();
    return result;
  }
  std::vector<int> first(std::size_t(vertices), -2);  // texture of the given vertex; -2 = not met
  std::map<std::pair<int, int>, int> more;            // vertex, texture
  std::vector<int> texture(std::size_t(vertices), -1);
  std::vector<int> place(faces.vertex.size());
  for (std::size_t c = 0; c < faces.vertex.size(); ++c) {
    const int v = faces.vertex[c], t = faces.texture[c];
    if (first[v] == -2) first[v] = texture[v] = t;
    if (first[v] == t) {
      place[c] = v;
      continue;
    }
    const auto [found, is_new] = more.try_emplace({v, t}, int(result.vertex.size()));
    if (is_new) {
      result.vertex.push_back(v);
      texture.push_back(t);
    }
    place[c] = found->second;
  }
  for (const int t : texture)
    result.uv.push_back(t >= 0 ? faces.uv[t] : Eigen::Vector2f(Eigen::Vector2f::Zero()));
  for (const Triangle& t : faces.cut)
    result.triangles.push_back({place[t[0]], place[t[1]], place[t[2]]});
  return result;
}

}  // namespace pliant
