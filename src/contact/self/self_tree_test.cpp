#include "contact/self/self_tree.h"

#include <cmath>
#include <doctest/doctest.h>
#include <set>

#include "contact/test_scene.h"
#include "geometry/mesh/primitives.h"
#include "geometry/query/bvh.h"

using namespace pliant;
using namespace pliant::test;

namespace {

/// A bar along x, rolled up to `angle` [rad] and crumpled a little.
Body rolled_bar(double angle, std::uint64_t seed) {
  Body body = surface_body(box_mesh({1, 0.08, 0.2}, 0.04));
  Skin& skin = body.skin;
  const double radius = 1 / angle;
  for (int v = 0; v < skin.size(); ++v) {
    const Vec3 p = skin.rest[v];
    const double turn = angle * p.x(), away = radius - p.y();
    skin.position[v] = Vec3(away * std::sin(turn), radius - away * std::cos(turn), p.z()) +
                       4e-3 * random_vector(seed, std::uint64_t(v));
  }
  return body;
}

}  // namespace

TEST_CASE("features that come near each other are in a pair of leaves that is found") {
  double apart = 0;  // [m] at rest: what is nearer does not count
  SUBCASE("of all") {}
  SUBCASE("of what may touch") { apart = 0.1; }
  int near = 0, found = 0, all = 0;
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const Body body = rolled_bar(6.05 + 0.05 * double(seed), seed);
    const Skin& skin = body.skin;
    std::vector<Vec3> way;
    for (int v = 0; v < skin.size(); ++v)
      way.push_back(Vec3(0.3, 0.1, 0) + 0.2 * skin.position[v] +
                    0.02 * random_vector(seed + 100, std::uint64_t(v)));
    SkinTree skin_tree;
    skin_tree.build(skin);
    skin_tree.refit(skin);
    SelfTree tree;
    tree.build(skin, skin_tree, std::vector<double>(way.size(), apart));
    tree.fit(skin, skin_tree, way);
    const SelfTree::MotionReach reach{0.005, 0.005, 0.1, 0.04, 0.01};
    std::set<std::pair<int, int>> met;
    for (const auto& [a, b] : tree.find_pairs(reach)) {
      met.insert({a, b});
      met.insert({b, a});
    }
    found += int(met.size());
    all += skin_tree.leaves() * skin_tree.leaves();
    bool complete = true;
    for (int a = 0; a < skin_tree.leaves(); ++a)
      for (int b = 0; b < skin_tree.leaves(); ++b)
        for (const int v : skin_tree.vertices(a))
          for (const int t : skin_tree.triangles(b)) {
            const auto [i, j, k] = skin.triangles[t];
            if (i == v || j == v || k == v) continue;
            const std::vector<Vec3>& rest = skin.rest;
            if (closest_on_triangle(rest[v], rest[i], rest[j], rest[k]).distance < apart) continue;
            double nearest = 1;
            for (const double time : {0.0, 0.3, 0.7, 1.0}) {
              const auto at = [&](int p) -> Vec3 { return skin.position[p] + time * way[p]; };
              nearest = std::min(nearest, closest_on_triangle(at(v), at(i), at(j), at(k)).distance);
            }
            if (nearest > reach.of(0)) continue;
            ++near;
            complete = complete && met.contains({a, b});
          }
    CHECK(complete);
  }
  CHECK(near > 100);
  CHECK(found < all / 2);  // and not simply all of them
}

TEST_CASE("of a ball that flies, swells and turns nothing is near itself") {
  Body body = surface_body(sphere_mesh(0.5, 0.06));
  const Skin& skin = body.skin;
  std::vector<Vec3> way;
  for (const Vec3& p : skin.position)
    way.push_back(Vec3(1, 2, 3) + 0.05 * p + 0.1 * Vec3::UnitY().cross(p));
  SkinTree skin_tree;
  skin_tree.build(skin);
  skin_tree.refit(skin);
  SelfTree tree;
  tree.build(skin, skin_tree, std::vector<double>(way.size(), 2.5 * 0.06));
  tree.fit(skin, skin_tree, way);
  CHECK(tree.find_pairs({0.005, 0.005, 0.1, 0.06, 0.02}).empty());
}
