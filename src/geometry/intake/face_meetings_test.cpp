#include "geometry/intake/face_meetings.h"

#include <doctest/doctest.h>

#include "geometry/intake/intake.h"
#include "geometry/nurbs/primitives.h"
#include "geometry/query/self_intersections.h"

using namespace pliant;

namespace {

/// Faces with their borders along the edges of their domains.
FaceMeetings met(std::vector<NurbsPatch> patches, double reach) {
  std::vector<FaceBorder> borders;
  for (int p = 0; p < int(patches.size()); ++p) {
    NurbsPatch& patch = patches[p];
    const Vec2 low(patch.u.first(), patch.v.first()), high(patch.u.last(), patch.v.last());
    const Vec2 corner[] = {low, {high[0], low[1]}, high, {low[0], high[1]}};
    for (int k = 0; k < 4; ++k) {
      FaceBorder& border = borders.emplace_back(FaceBorder{p + 1, {}});
      for (int i = 0; i <= 64; ++i) {
        const Vec2 uv = corner[k] + (corner[(k + 1) % 4] - corner[k]) * i / 64;
        border.points.push_back(patch.point(uv[0], uv[1]));
      }
    }
  }
  const Tessellation drawn = tessellate(patches, 0.1, 1e-3);
  const Intake taken = take_in(drawn.mesh);
  std::vector<int> face(taken.mesh.triangles.size(), 0);
  for (int p = 0; p < int(patches.size()); ++p)
    for (const int t : taken.mesh.groups[std::size_t(p)].triangles) face[std::size_t(t)] = p + 1;
  const SelfIntersections crossing = find_self_intersections(taken.mesh, Bvh(taken.mesh));
  return face_meetings(borders, taken.mesh, face, crossing.triangles, reach);
}

std::vector<NurbsPatch> moved(std::vector<NurbsPatch> patches, const Vec3& by) {
  for (NurbsPatch& patch : patches)
    for (Vec3& pole : patch.pole) pole += by;
  return patches;
}

std::vector<NurbsPatch> together(std::vector<NurbsPatch> a, const std::vector<NurbsPatch>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

int count(const std::vector<int>& pieces) {
  return 1 + *std::max_element(pieces.begin(), pieces.end());
}

}  // namespace

TEST_CASE("the twelve edges of a box are met by two faces each, without a gap") {
  const FaceMeetings found = met(nurbs_box({1, 0.5, 0.25}), 0.01);
  CHECK(found.pairs.size() == 12);
  CHECK(found.length == doctest::Approx(2 * 4 * 1.75));
  CHECK(found.met == doctest::Approx(found.length));
  CHECK(found.pairs.front().gap < 1e-12);
  CHECK(found.holes == 0);
  CHECK(found.crossings.empty());
  CHECK(count(found.pieces(6)) == 1);
}

TEST_CASE("a face that stands off shows its gap, and a missing one its free border") {
  std::vector<NurbsPatch> box = nurbs_box({1, 1, 1});
  for (Vec3& pole : box[2].pole) pole *= 1.004;
  const FaceMeetings apart = met(box, 0.01);
  CHECK(apart.met == doctest::Approx(apart.length));
  CHECK(apart.pairs.front().gap == doctest::Approx(0.002 * std::sqrt(2.0)).epsilon(0.3));
  CHECK(apart.pairs[4].gap < 1e-12);
  CHECK((apart.pairs[0].first == 3 || apart.pairs[0].second == 3));

  box.erase(box.begin() + 2);
  const FaceMeetings open = met(box, 0.01);
  CHECK(open.open == doctest::Approx(4).epsilon(0.02));
  CHECK(open.holes == 1);
}

TEST_CASE("round faces meet as flat ones do, whatever their triangles look like") {
  for (const std::vector<NurbsPatch>& model :
       {nurbs_cylinder(0.3, 0.8), nurbs_sphere(0.5), nurbs_torus(0.4, 0.1)}) {
    const FaceMeetings found = met(model, 0.005);
    CHECK(found.met == doctest::Approx(found.length).epsilon(1e-3));
    CHECK(found.pairs.front().gap < 1e-4);
    CHECK(found.holes == 0);
    CHECK(found.crossings.empty());
    CHECK(count(found.pieces(int(model.size()))) == 1);
  }
}

TEST_CASE("boxes apart are two pieces, boxes through each other one, and their faces are named") {
  const std::vector<NurbsPatch> box = nurbs_box({1, 1, 1});
  CHECK(count(met(together(box, moved(box, {2, 0, 0})), 0.01).pieces(12)) == 2);
  const FaceMeetings crossing =
      met(together(box, moved(nurbs_box({1, 0.3, 0.3}), {0.7, 0, 0})), 0.01);
  CHECK(crossing.crossings.size() == 4);
  CHECK(count(crossing.pieces(12)) == 1);
  CHECK(crossing.holes == 0);
}

TEST_CASE(
    "a pin that begins inside of a box has no hole there, one that begins on it rests on it") {
  std::vector<NurbsPatch> pin = moved(nurbs_box({0.6, 0.2, 0.2}), {0.6, 0, 0});
  std::erase_if(pin, [](const NurbsPatch& patch) {  // the end at low x
    return (patch.point(0.5, 0.5) - Vec3(0.3, 0, 0)).norm() < 1e-9;
  });
  REQUIRE(pin.size() == 5);
  const FaceMeetings inside = met(together(nurbs_box({1, 1, 1}), pin), 0.01);
  CHECK(inside.holes == 0);
  CHECK(inside.buried == doctest::Approx(0.8).epsilon(0.05));
  const FaceMeetings on = met(together(nurbs_box({1, 1, 1}), moved(pin, {0.2, 0, 0})), 0.01);
  CHECK(on.holes == 0);
  CHECK(on.resting == doctest::Approx(0.8).epsilon(0.05));
  CHECK(count(on.pieces(11)) == 1);
  const FaceMeetings barely =
      met(together(nurbs_box({1, 1, 1}), moved(nurbs_box({0.6, 0.2, 0.2}), {0.796, 0, 0})), 0.01);
  CHECK(barely.crossings.empty());
  CHECK(count(barely.pieces(12)) == 1);
}
