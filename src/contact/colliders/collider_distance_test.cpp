#include "contact/colliders/collider_distance.h"

#include <doctest/doctest.h>

#include "contact/test_scene.h"
#include "geometry/mesh/primitives.h"
#include "geometry/query/bvh.h"

using namespace pliant;
using namespace pliant::test;

namespace {

struct Sample {
  const char* name;
  ColliderShape shape;
  TriangleMesh surface;  // fine triangles on the same surface: the judge
};

std::vector<Sample> samples() {
  std::vector<Sample> all;
  all.push_back({"sphere", SphereShape{0.4}, sphere_mesh(0.4, 0.02)});
  all.push_back({"box", BoxShape{{0.3, 0.1, 0.2}}, box_mesh({0.6, 0.2, 0.4}, 0.05)});
  all.push_back({"capsule", CapsuleShape{0.2, 0.3}, capsule_mesh(0.2, 0.6, 0.015)});
  const TriangleMesh torus = torus_mesh(0.3, 0.1, 0.05);
  all.push_back({"closed mesh", mesh_shape(torus), torus});
  return all;
}

bool is_inside(const ColliderShape& shape, const Vec3& p) {
  if (const auto* s = std::get_if<SphereShape>(&shape)) return p.norm() < s->radius;
  if (const auto* s = std::get_if<BoxShape>(&shape))
    return (p.cwiseAbs().array() < s->half.array()).all();
  if (const auto* s = std::get_if<CapsuleShape>(&shape))
    return (p - Vec3(0, std::clamp(p.y(), -s->half_length, s->half_length), 0)).norm() < s->radius;
  return Vec3(std::hypot(p.x(), p.z()) - 0.3, p.y(), 0).norm() < 0.1;
}

}  // namespace

TEST_CASE("gaps agree with the nearest of all triangles on the same surface") {
  for (const Sample& sample : samples()) {
    CAPTURE(sample.name);
    double worst = 0;
    int wrong_side = 0;
    for (int i = 0; i < 150; ++i) {
      const Vec3 p = 0.6 * random_vector(1, std::uint64_t(i));
      const SurfacePoint judge = closest_point_brute_force(sample.surface, p, 10);
      const auto hit = shape_distance(sample.shape, p);
      REQUIRE(hit);
      worst = std::max(worst, std::abs(std::abs(hit->gap) - judge.distance));
      if (judge.distance > 0.01 && (hit->gap < 0) != is_inside(sample.shape, p)) ++wrong_side;
    }
    CHECK(worst < 1e-3);  // what the triangles cut off the round shapes
    CHECK(wrong_side == 0);
  }
}

TEST_CASE("the normal is the gradient of the gap, and leads to the surface") {
  const double eps = 1e-6;
  for (const Sample& sample : samples()) {
    CAPTURE(sample.name);
    int kinks = 0;
    for (int i = 0; i < 300; ++i) {
      const Vec3 p = 0.6 * random_vector(2, std::uint64_t(i));
      const auto hit = shape_distance(sample.shape, p);
      CHECK(hit->normal.norm() == doctest::Approx(1));
      CHECK((hit->point + hit->gap * hit->normal - p).norm() < 1e-9);
      Vec3 slope;
      for (int k = 0; k < 3; ++k) {
        const Vec3 d = eps * Vec3::Unit(k);
        slope[k] =
            (shape_distance(sample.shape, p + d)->gap - shape_distance(sample.shape, p - d)->gap) /
            (2 * eps);
      }
      if ((slope - hit->normal).norm() > 1e-4) ++kinks;  // medial surfaces have measure zero
    }
    CHECK(kinks <= 1);
  }
}

TEST_CASE("a placed and moving collider is its shape in a moved frame") {
  Collider collider;
  collider.shape = BoxShape{{0.3, 0.1, 0.2}};
  collider.placement = {random_turn(3, 0), {1, 2, 3}};
  collider.motion.pivot = {0, 1, 0};
  collider.motion.spin = Motion::Spin{Vec3(1, 2, 2) / 3, 2.0, 0.5, 10};
  collider.motion.keys = {{0, Vec3::Zero(), Quat::Identity()}, {2, {1, 0, 0}, random_turn(3, 1)}};
  const Vec3 local(0.1, 0.2, 0.3);
  for (const double time : {0.0, 0.7, 1.9, 5.0}) {
    const Pose pose = collider.at(time);
    const Vec3 world = collider.motion.at(time).apply(collider.placement.apply(local));
    CHECK((pose.apply(local) - world).norm() < 1e-12);
    const auto hit = collider_distance(collider, pose, world);
    CHECK(hit->gap == doctest::Approx(shape_distance(collider.shape, local)->gap));
    CHECK((world - hit->gap * hit->normal - hit->point).norm() < 1e-12);
  }
}

TEST_CASE("a mesh is closed when every edge has two sides, also as a soup, also inside out") {
  const TriangleMesh box = box_mesh({1, 1, 1}, 0.5);
  TriangleMesh soup;
  for (const Triangle& t : box.triangles) {
    const int n = int(soup.points.size());
    for (const int corner : t) soup.points.push_back(box.points[corner]);
    soup.triangles.push_back({n, n + 2, n + 1});
  }
  const MeshShape shape = mesh_shape(soup);
  CHECK(shape.closed);
  CHECK(shape_distance(shape, {0, 0.4, 0.1})->gap == doctest::Approx(-0.1));
  CHECK(shape_distance(shape, {0, 0.7, 0.1})->gap == doctest::Approx(0.2));
  soup.triangles.pop_back();
  const MeshShape open = mesh_shape(soup);
  CHECK(!open.closed);
  CHECK(shape_distance(open, {0, 0.4, 0.1})->gap == doctest::Approx(0.1));
  CHECK(!shape_distance(open, {0, 0.9, 0.1}, 0.3));
}
