#include "geometry/intake/intake.h"

#include <doctest/doctest.h>

#include "core/errors.h"
#include "core/random.h"
#include "geometry/intake/volumes.h"
#include "geometry/mesh/primitives.h"
#include "geometry/mesh/test_broken.h"

using namespace pliant;
using namespace pliant::test;

namespace {

bool says(const Intake& intake, const std::string& words) {
  for (const std::string& warning : intake.warnings)
    if (warning.find(words) != std::string::npos) return true;
  return false;
}

}  // namespace

TEST_CASE("a good surface is taken as it is, without a word") {
  const TriangleMesh given = torus_mesh(1, 0.3, 0.15);
  const Intake taken = take_in(given);
  CHECK(taken.mesh.triangles == given.triangles);
  CHECK(taken.warnings.empty());
  for (int p = 0; p < int(given.points.size()); ++p) CHECK(taken.vertex[p] == p);
}

TEST_CASE("a soup becomes closed again, and every given vertex knows its point") {
  const TriangleMesh given = soup(sphere_mesh(1, 0.3));
  const Intake taken = take_in(given);
  CHECK(taken.defects.topology.closed);
  CHECK(taken.defects.topology.shells == 1);
  CHECK(volume(taken.mesh) == doctest::Approx(volume(sphere_mesh(1, 0.3))).epsilon(1e-12));
  for (int p = 0; p < int(given.points.size()); ++p)
    CHECK(taken.mesh.points[taken.vertex[p]] == given.points[p]);
}

TEST_CASE("near points are welded within the stated tolerance only") {
  const TriangleMesh given = soup(sphere_mesh(1, 0.3), 1e-6);
  CHECK(!take_in(given).defects.topology.closed);
  CHECK(!take_in(given, {.weld = 1e-8}).defects.topology.closed);
  const Intake taken = take_in(given, {.weld = 1e-5});
  CHECK(taken.defects.topology.closed);
  CHECK(says(taken, "were welded"));
}

TEST_CASE("triangles turned at random are turned back: the volume is that of the sphere") {
  TriangleMesh given = soup(sphere_mesh(1, 0.25));
  const double right = volume(given);
  std::size_t turned = 0;
  for (std::size_t t = 0; t < given.triangles.size(); ++t)
    if (random_unit(7, t) < 0.3) std::swap(given.triangles[t][0], given.triangles[t][1]), ++turned;
  const Intake taken = take_in(given);
  CHECK(volume(taken.mesh) == doctest::Approx(right).epsilon(1e-12));
  CHECK(taken.defects.turned.size() == turned);
  CHECK(says(taken, "wrong way"));
}

TEST_CASE("what is flat or there twice is left out and counted") {
  TriangleMesh given = box_mesh(Vec3::Ones(), 1);
  const std::size_t good = given.triangles.size();
  given.triangles.push_back(given.triangles[3]);
  given.triangles.push_back({0, 0, 1});
  given.points.push_back(
      0.5 * (given.points[given.triangles[0][0]] + given.points[given.triangles[0][1]]));
  given.triangles.push_back(
      {given.triangles[0][0], int(given.points.size()) - 1, given.triangles[0][1]});
  given.points.emplace_back(9, 9, 9);
  const Intake taken = take_in(given);
  CHECK(taken.mesh.triangles.size() == good);
  CHECK(taken.defects.repeated == std::vector<int>{int(good)});
  CHECK(taken.defects.flat == std::vector<int>{int(good) + 1, int(good) + 2});
  CHECK(taken.defects.unused == 2);
  CHECK(taken.vertex.back() == -1);
  CHECK(taken.defects.topology.closed);
}

TEST_CASE("an inner wall between two boxes goes, and one solid remains") {
  const TriangleMesh box = box_mesh(Vec3::Ones(), 1);
  const TriangleMesh two = joined(box, box, Vec3::UnitX());
  const Intake taken = take_in(two);
  CHECK(taken.defects.opposed.size() + taken.defects.crowded.size() > 0);
  CHECK(volume(taken.mesh) == doctest::Approx(2));
}

TEST_CASE("a double sheet keeps one side, and is told to be a sheet") {
  const TriangleMesh sheet = joined(test::sheet(4, 0.02), inside_out(test::sheet(4, 0.02)));
  const Intake taken = take_in(sheet);
  CHECK(taken.mesh.triangles.size() == 32);
  CHECK(taken.defects.is_sheet);
  CHECK(says(taken, "open sheet"));
  const Intake solid = take_in(sheet, {.thickness = 0.03});
  CHECK(solid.defects.topology.closed);
  CHECK(volume(solid.mesh) == doctest::Approx(0.03 * area(taken.mesh)).epsilon(0.02));
}

TEST_CASE("a Moebius strip has no inside") { CHECK_THROWS_AS(take_in(moebius()), InputError); }

TEST_CASE("holes, crowded edges, pinched points and stray vertices are found where they are") {
  TriangleMesh open = sphere_mesh(1, 0.3);
  open.triangles.pop_back();
  CHECK(take_in(open).defects.holes.size() == 1);
  CHECK(take_in(open).defects.holes[0].size() == 3);

  TriangleMesh fin = sphere_mesh(1, 0.3);
  fin.points.emplace_back(0, 3, 0);
  fin.triangles.push_back({fin.triangles[0][0], fin.triangles[0][1], int(fin.points.size()) - 1});
  CHECK(take_in(fin).defects.crowded.size() == 1);

  const TriangleMesh box = box_mesh(Vec3::Ones(), 1);
  const TriangleMesh bow = joined(box, box, Vec3::Ones());
  CHECK(take_in(bow).defects.pinched.size() == 1);
  CHECK(take_in(bow).defects.topology.shells == 2);

  TriangleMesh far = sphere_mesh(1, 0.3);
  far.points[5] = Vec3(1e9, 0, 0);
  CHECK(take_in(far).defects.stray == 5);
}

TEST_CASE("both ways to measure a volume agree, also for soups with holes") {
  for (const TriangleMesh& mesh :
       {sphere_mesh(1, 0.2), torus_mesh(1, 0.4, 0.15), box_mesh(Vec3(1, 2, 3), 0.5)})
    CHECK(counted_volume(mesh, WindingNumber(mesh)) == doctest::Approx(volume(mesh)).epsilon(0.01));
  TriangleMesh open = sphere_mesh(1, 0.2);
  const double whole = volume(open);
  open.triangles.resize(open.triangles.size() - 4);
  CHECK(counted_volume(open, WindingNumber(open)) == doctest::Approx(whole).epsilon(0.02));
}
