#include "contact/self/rest_exclusions.h"

#include <doctest/doctest.h>

#include "contact/test_scene.h"
#include "geometry/mesh/primitives.h"

using namespace pliant;
using namespace pliant::test;

namespace {

/// How many pairs of vertices and triangles, with normals and a way between them that `counts`,
/// may ever touch.
template <class Counts>
int touching(const TriangleMesh& mesh, const Counts& counts) {
  const Body body = surface_body(mesh);
  const Skin& skin = body.skin;
  SkinTopology topology;
  topology.build(skin);
  SkinTree tree;
  tree.build(skin);
  tree.refit(skin);
  RestExclusions rest;
  rest.build(skin, topology, tree, 0.005);
  int count = 0;
  for (int v = 0; v < skin.size(); ++v)
    for (int t = 0; t < int(skin.triangles.size()); ++t)
      if (counts(v, t) && rest.may_touch(skin, v, t)) ++count;
  return count;
}

int touching(const TriangleMesh& mesh) {
  return touching(mesh, [](int, int) { return true; });
}

TriangleMesh stretched(TriangleMesh mesh, const Vec3& by) {
  for (Vec3& p : mesh.points) p = p.cwiseProduct(by);
  return mesh;
}

}  // namespace

TEST_CASE("one round piece of flesh has nothing to touch itself with, however fine its skin is") {
  for (const double edge : {0.2, 0.1, 0.05}) {
    CHECK(touching(sphere_mesh(0.5, edge)) == 0);
    CHECK(touching(stretched(sphere_mesh(0.5, edge), {1, 0.6, 0.7})) == 0);
  }
}

TEST_CASE("a long body can bend and touch itself along its side, but not around it") {
  const TriangleMesh mesh = capsule_mesh(0.1, 0.8, 0.04);
  Vec3 length = Vec3::Zero();  // the axis it is long along
  Box box;
  for (const Vec3& p : mesh.points) box.add(p);
  int axis = 0;
  (box.high - box.low).maxCoeff(&axis);
  length[axis] = 1;
  const auto between = [&](int v, int t) {
    const auto [i, j, k] = mesh.triangles[t];
    return Vec3(mesh.points[v] - (mesh.points[i] + mesh.points[j] + mesh.points[k]) / 3);
  };
  const auto along = [&](int v, int t) {
    const Vec3 way = between(v, t);
    return std::abs(way.dot(length)) > 0.95 * way.norm();
  };
  const auto around = [&](int v, int t) {
    const Vec3 way = between(v, t);
    return std::abs(way.dot(length)) < 0.5 * way.norm();
  };
  CHECK(touching(mesh, along) > 1000);
  CHECK(touching(mesh, around) == 0);
}
