#include "scene/join.h"

#include <numeric>

#include "core/errors.h"

namespace pliant {
namespace {

void append(TriangleMesh& whole, TriangleMesh part, const std::string& name) {
  const int points = int(whole.points.size()), triangles = int(whole.triangles.size());
  whole.points.insert(whole.points.end(), part.points.begin(), part.points.end());
  for (const Triangle& t : part.triangles)
    whole.triangles.push_back({points + t[0], points + t[1], points + t[2]});
  TriangleMesh::Group all{name, std::vector<int>(part.triangles.size())};
  std::iota(all.triangles.begin(), all.triangles.end(), triangles);
  whole.groups.push_back(std::move(all));
  for (TriangleMesh::Group& group : part.groups) {
    for (int& t : group.triangles) t += triangles;
    whole.groups.push_back({name + "/" + group.name, std::move(group.triangles)});
  }
}

void place_on_patches(Solid& solid) {
  if (!solid.on_patch.empty()) return;
  if (!solid.patches.empty())
    throw InputError("", "",
                     "has faces whose triangles had to be repaired, so nothing can join them");
  solid.on_patch.assign(solid.surface.points.size(), {-1, Vec2::Zero()});
}

}  // namespace

void join(Solid& whole, Solid part, const std::string& name) {
  if (!whole.patches.empty() || !part.patches.empty()) {
    place_on_patches(whole);
    place_on_patches(part);
    const int patches = int(whole.patches.size());
    for (Tessellation::Vertex at : part.on_patch) {
      if (at.patch >= 0) at.patch += patches;
      whole.on_patch.push_back(at);
    }
    whole.patches.insert(whole.patches.end(), part.patches.begin(), part.patches.end());
  }
  append(whole.surface, std::move(part.surface), name);
}

}  // namespace pliant
