#include "scene/cuts.h"

#include <algorithm>
#include <fmt/format.h>

#include "scene/json.h"
#include "scene/words.h"

namespace pliant {
namespace {

constexpr double flat = 1e-4;  // of its size: corners are no further from the polygon's plane

/// The plane of a polygon by Newell's formula; zero normal: it has none.
Cut cut_within(const std::vector<CornerDescription>& corners) {
  Cut cut;
  cut.normal.setZero();
  std::vector<Vec3>& polygon = cut.within.emplace_back();
  for (const CornerDescription& corner : corners) {
    polygon.push_back(corner.point);
    cut.point += corner.point / double(corners.size());
  }
  for (std::size_t i = 0; i < polygon.size(); ++i)
    cut.normal += (polygon[i] - cut.point).cross(polygon[(i + 1) % polygon.size()] - cut.point) / 2;
  double size = 0, off = 0;
  for (const Vec3& corner : polygon) size = std::max(size, (corner - cut.point).norm());
  if (cut.normal.norm() <= flat * size * size) cut.normal.setZero();
  else cut.normal.normalize();
  for (const Vec3& corner : polygon)
    off = std::max(off, std::abs(cut.normal.dot(corner - cut.point)));
  if (off > flat * size) cut.normal.setZero();
  return cut;
}

void plan_one(const CutDescription& description, const SceneDescription& scene,
              const std::string& where, World& world, BuildLog& log) {
  std::vector<std::string> names;
  for (const Body& body : world.bodies) names.push_back(body.name);
  const auto found = std::find(names.begin(), names.end(), description.body);
  if (found == names.end())
    return log.problem(where + "/body", fmt::format("is {}; it must be one of {}",
                                                    quote(description.body), joined(names, ", ")));
  const std::size_t at = std::size_t(found - names.begin());
  const Body& body = world.bodies[at];
  if (!body.method->can_be_cut())
    return log.problem(where + "/body",
                       fmt::format("is {}, of {}, which cannot be cut", quote(description.body),
                                   scene.bodies[at].method.name),
                       "bodies of clusters can");
  Cut cut;
  if (description.plane) {
    cut.point = description.plane->point;
    cut.normal = description.plane->normal;
  } else {
    cut = cut_within(description.polygon);
    if (cut.normal.isZero(0))
      return log.problem(where + "/polygon", "is not flat, or has no area",
                         "three corners or more, all in one plane");
  }
  world.cuts.push_back({description.time, body.id, std::move(cut)});
}

}  // namespace

void plan_cuts(const SceneDescription& scene, World& world, BuildLog& log) {
  if (scene.cuts.empty()) return;
  if (scene.statics) return log.problem("/cuts", "are given in a static scene");
  world.update_ids();
  for (std::size_t i = 0; i < scene.cuts.size(); ++i)
    plan_one(scene.cuts[i], scene, fmt::format("/cuts/{}", i), world, log);
}

}  // namespace pliant
