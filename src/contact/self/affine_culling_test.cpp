#include "contact/self/affine_culling.h"

#include <cmath>
#include <doctest/doctest.h>

#include "contact/surface/skin_topology.h"
#include "contact/test_scene.h"
#include "geometry/mesh/primitives.h"
#include "geometry/query/bvh.h"

using namespace pliant;
using namespace pliant::test;

namespace {

/// Leaves of a skin, brought up to date, and patches over them.
struct Fitted {
  SkinTree tree;
  LeafCorners leaves;
  AffineCulling patches;

  Fitted(const Skin& skin, double apart) {
    tree.build(skin);
    tree.refit(skin);
    leaves.build(skin, tree);
    patches.build(skin, tree, leaves, std::vector<double>(skin.position.size(), apart));
    LeafCorners::MovingPoints points;
    points.fit(skin, Vec3::Zero(), std::vector<Vec3>(skin.position.size(), Vec3::Zero()));
    leaves.fit(points);
    patches.fit(skin, tree, leaves, points);
  }
  /// Of a part and all in it.
  std::vector<int> triangles(int node) const {
    const SkinTree::Node& here = tree.nodes()[node];
    if (here.left < 0) return {tree.triangles(here.leaf).begin(), tree.triangles(here.leaf).end()};
    std::vector<int> all = triangles(here.left);
    for (const int t : triangles(here.left + 1)) all.push_back(t);
    return all;
  }
};

/// How near a corner of the first comes to a triangle of the second, of those `apart` at rest.
double nearest(const Skin& skin, const std::vector<int>& first, const std::vector<int>& second,
               double apart) {
  double least = std::numeric_limits<double>::infinity();
  for (const int s : first)
    for (const int v : skin.triangles[s])
      for (const int t : second) {
        const auto [i, j, k] = skin.triangles[t];
        const auto distance = [&](const std::vector<Vec3>& p) {
          return closest_on_triangle(p[v], p[i], p[j], p[k]).distance;
        };
        if (distance(skin.rest) >= apart) least = std::min(least, distance(skin.position));
      }
  return least;
}

}  // namespace

TEST_CASE("parts are as far apart as their maps say, or further, however they are bent") {
  const double apart = 0.12;
  constexpr float infinite = std::numeric_limits<float>::infinity();
  Body body = surface_body(box_mesh({1, 0.2, 0.3}, 0.07));
  Skin& skin = body.skin;
  int told = 0;
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    for (int v = 0; v < skin.size(); ++v) {  // rolled up, twisted, stretched, shaken
      const Vec3 p = skin.rest[v];
      const double angle = (1.0 + double(seed)) * p.x(), radius = 1 / (1.0 + double(seed));
      const double away = radius - 1.2 * p.y() - 0.3 * p.x() * p.z();
      skin.position[v] =
          Vec3(away * std::sin(angle), radius - away * std::cos(angle), 0.8 * p.z()) +
          2e-3 * random_vector(seed, std::uint64_t(v));
    }
    const Fitted fitted(skin, apart);
    const int count = int(fitted.tree.nodes().size());
    bool right = true;
    for (int m = 0; m < count; ++m)
      for (int n = m; n < count; n += 1 + (m + n) % 7) {
        const double said =
            m == n ? fitted.patches.distance(m) : fitted.patches.distance(m, n, infinite);
        if (said <= 0) continue;
        ++told;
        const std::vector<int> a = fitted.triangles(m), b = fitted.triangles(n);
        const double really = std::min(nearest(skin, a, b, apart), nearest(skin, b, a, apart));
        right = right && said <= really + 1e-6;
      }
    CHECK(right);
  }
  CHECK(told > 200);
}

TEST_CASE("a body that turns and is stretched evenly keeps everything apart") {
  Body body = surface_body(box_mesh({1, 0.2, 0.3}, 0.07));
  Skin& skin = body.skin;
  const Eigen::AngleAxisd turn(2.1, Vec3(1, -2, 3).normalized());
  for (int v = 0; v < skin.size(); ++v)
    skin.position[v] =
        turn * Vec3(1.2 * skin.rest[v].x(), 0.8 * skin.rest[v].y(), skin.rest[v].z());
  const Fitted fitted(skin, 0.12);
  CHECK(fitted.patches.distance(0) > 0.6 * 0.12);
  CHECK(fitted.patches.distance(0) <= 0.8 * 0.12 + 1e-6);
}
