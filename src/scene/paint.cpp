#include "scene/paint.h"

#include <algorithm>

namespace pliant {

Paint paint_of(const Skin& skin, const std::map<std::string, Vec3>& colors) {
  Paint paint;
  for (const TriangleMesh::Group& group : skin.groups) {
    const auto found = colors.find(group.name);
    if (found == colors.end()) continue;
    if (paint.empty()) paint.of_triangle.assign(skin.triangles.size(), -1);
    const auto known = std::find(paint.color.begin(), paint.color.end(), found->second);
    const int index = int(known - paint.color.begin());
    if (known == paint.color.end()) paint.color.push_back(found->second);
    for (const int t : group.triangles) paint.of_triangle[std::size_t(t)] = index;
  }
  return paint;
}

Vec3 main_color(const Skin& skin, const Paint& paint, const Vec3& otherwise) {
  if (paint.empty()) return otherwise;
  std::vector<double> area(paint.color.size() + 1, 0);  // the last: without one
  for (std::size_t t = 0; t < skin.triangles.size(); ++t) {
    const auto& [a, b, c] = skin.triangles[t];
    const int color = paint.of_triangle[t];
    area[color < 0 ? paint.color.size() : std::size_t(color)] +=
        (skin.rest[b] - skin.rest[a]).cross(skin.rest[c] - skin.rest[a]).norm();
  }
  const auto most = std::size_t(std::max_element(area.begin(), area.end()) - area.begin());
  return most < paint.color.size() ? paint.color[most] : otherwise;
}

}  // namespace pliant
