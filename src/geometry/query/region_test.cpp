#include "geometry/query/region.h"

#include <doctest/doctest.h>
#include <numeric>

#include "core/errors.h"
#include "geometry/mesh/primitives.h"

using namespace pliant;

namespace {

std::vector<int> chosen(const Region& region, const TriangleMesh& mesh) {
  return select(region, mesh.points, mesh.triangles, mesh.groups);
}

// Notes what a description says, and answers every optional object with "given".
struct Listener : Fields {
  std::vector<std::string> names, together, broken;
  void numbers(const char* name, std::span<double>, bool*, const Range&) override {
    names.push_back(name);
  }
  void integer(const char* name, int&, bool*, const Range&) override { names.push_back(name); }
  void flag(const char* name, bool&, const Note&) override { names.push_back(name); }
  void text(const char* name, std::string&, bool*, const Note&) override { names.push_back(name); }
  void file(const char* name, std::string&, bool*, const Note&) override { names.push_back(name); }
  void choice(const char* name, int&, std::span<const char* const>, const Note&) override {
    names.push_back(name);
  }
  void object(const char* name, bool*, const Note&,
              const std::function<void(Fields&)>& inner) override {
    names.push_back(name);
    inner(*this);
  }
  void list(const char*, Elements&, const Note&) override {}
  void map(const char*, Elements&, const Note&) override {}
  void shorthand(const char*) override {}
  void shorthand_names_member() override {}
  void exactly_one(std::span<const char* const>) override {}
  void at_most_one(std::span<const char* const> members) override {
    together.assign(members.begin(), members.end());
  }
  void check(bool fine, const char* field, const std::string&) override {
    if (!fine) broken.push_back(field);
  }
};

}  // namespace

TEST_CASE("a region without a member is everything") {
  const TriangleMesh mesh = box_mesh({1, 1, 1}, 0.5);
  std::vector<int> all(mesh.points.size());
  std::iota(all.begin(), all.end(), 0);
  CHECK(chosen({}, mesh) == all);
}

TEST_CASE("box, sphere and half-space choose by position, borders included") {
  const TriangleMesh mesh = box_mesh({1, 1, 1}, 0.5);
  Region box, sphere, half;
  box.box = {Vec3(0.5, -1, -1), Vec3(1, 1, 1)};
  sphere.sphere = {Vec3(0.5, 0.5, 0.5), 0.5};
  half.half_space = {Vec3(0, 0.5, 0), Vec3(0, 7, 0)};
  CHECK(chosen(box, mesh).size() == 9);
  for (const int p : chosen(box, mesh)) CHECK(mesh.points[p].x() == 0.5);
  CHECK(chosen(sphere, mesh).size() == 4);  // the corner and its three neighbours
  CHECK(chosen(half, mesh).size() == 9);
}

TEST_CASE("sides are those of the body's box, with what lies close to them") {
  const TriangleMesh mesh = box_mesh({2, 4, 6}, 0.5);
  const Box box = bounds(mesh.points);
  for (const auto& [name, axis, sign] : {std::tuple{"top", 1, 1},
                                         {"bottom", 1, -1},
                                         {"right", 0, 1},
                                         {"left", 0, -1},
                                         {"front", 2, 1},
                                         {"back", 2, -1}}) {
    Region region;
    region.side = name;
    region.settle(box, {});
    const double end = 0.5 * sign * box.extent()[axis];
    int expected = 0;
    for (const Vec3& p : mesh.points) expected += p[axis] == end;
    CHECK(int(chosen(region, mesh).size()) == expected);
    for (const int p : chosen(region, mesh)) CHECK(mesh.points[p][axis] == end);
    region.depth = 1;
    region.settle(box, {});
    CHECK(chosen(region, mesh).size() == mesh.points.size());
    CHECK(region.distance(mesh.points[0]) == 0);
  }
}

TEST_CASE("a cylinder holds what lies around its axis between its ends") {
  Region region;
  region.cylinder = {Vec3(0, 0, 0), Vec3(0, 0, 2), 0.5};
  CHECK(region.contains({0.3, 0.3, 1}));
  CHECK(!region.contains({0.4, 0.4, 1}));
  CHECK(!region.contains({0, 0, 2.1}));
  CHECK(region.distance({0, 1.5, 1}) == doctest::Approx(1));
  CHECK(region.distance({0, 3.5, -4}) == doctest::Approx(5));
}

TEST_CASE("a face ends at its creases, and a smooth surface is one face") {
  const TriangleMesh cube = box_mesh({1, 1, 1}, 0.25), ball = sphere_mesh(1, 0.3);
  Region region;
  region.face = Region::Face{{0.1, 0.9, 0.2}};
  CHECK(chosen(region, cube).size() == 25);
  for (const int p : chosen(region, cube)) CHECK(cube.points[p].y() == 0.5);
  CHECK(chosen(region, ball).size() == ball.points.size());
  region.face->crease = 100;
  CHECK(chosen(region, cube).size() == cube.points.size());
  const TriangleMesh can = cylinder_mesh(0.5, 1, 0.1);
  region.face = Region::Face{{0.6, 0, 0}};
  for (const int p : chosen(region, can))
    CHECK(std::hypot(can.points[p].x(), can.points[p].z()) == doctest::Approx(0.5).epsilon(0.01));
}

TEST_CASE("what faces one direction is chosen wherever it is") {
  TriangleMesh mesh = box_mesh({1, 1, 1}, 0.5), other = mesh;
  const int count = int(mesh.points.size());
  for (const Vec3& p : other.points) mesh.points.push_back(p + Vec3(3, 1, 0));
  for (const Triangle& t : other.triangles)
    mesh.triangles.push_back({t[0] + count, t[1] + count, t[2] + count});
  Region region;
  region.normal = Region::Facing{{0, 2, 0}, 10};
  const std::vector<int> up = chosen(region, mesh);
  CHECK(up.size() == 18);
  for (const int p : up) CHECK((mesh.points[p].y() == 0.5 || mesh.points[p].y() == 1.5));
}

TEST_CASE("coordinates of the file choose what the same ones of the world do, once it is placed") {
  const TriangleMesh mesh = box_mesh({1, 2, 3}, 0.5);  // as in the file, in mm
  Region::Frame file;
  file.pose = {Quat(Eigen::AngleAxisd(1, Vec3(1, 2, 3).normalized())), Vec3(4, 5, 6)};
  file.length = 0.001;
  TriangleMesh placed = mesh;
  for (Vec3& p : placed.points) p = file.to_world(p);
  std::vector<Region> regions(6);
  regions[0].box = {Vec3(-1, 0.4, -2), Vec3(1, 2, 2)};
  regions[1].sphere = {Vec3(0.5, 1, 1.5), 0.6};
  regions[2].half_space = {Vec3(0, 0.4, 0), Vec3(0, 1, 0)};
  regions[3].cylinder = {Vec3(0.5, -1.1, 1.5), Vec3(0.5, 1.1, 1.5), 0.3};
  regions[4].face = Region::Face{{0.1, 1.1, 0.2}};
  regions[5].nearest = {Vec3(0.5, 1, 1.5), 1};
  for (Region region : regions) {
    const std::vector<int> expected = chosen(region, mesh);
    CHECK(!expected.empty());
    region.in = 1;
    region.settle(bounds(placed.points), file);
    CHECK(chosen(region, placed) == expected);
  }
}

TEST_CASE("nearest takes the closest points, of equally far ones the first") {
  const TriangleMesh mesh = box_mesh({1, 1, 1}, 1);
  Region region;
  region.nearest = {Vec3::Zero(), 3};  // all eight corners are equally far
  CHECK(chosen(region, mesh) == std::vector<int>{0, 1, 2});
  region.nearest = {mesh.points[6] * 1.1, 1};
  CHECK(chosen(region, mesh) == std::vector<int>{6});
  region.nearest->count = 100;
  CHECK(chosen(region, mesh).size() == 8);
}

TEST_CASE("a group chooses the points of its triangles, an unknown name is refused") {
  TriangleMesh mesh = box_mesh({1, 1, 1}, 1);
  mesh.groups = {{"lid", {0, 1}}};
  Region region;
  region.group = "lid";
  std::vector<int> expected = {mesh.triangles[0][0], mesh.triangles[0][1], mesh.triangles[0][2],
                               mesh.triangles[1][0], mesh.triangles[1][1], mesh.triangles[1][2]};
  std::sort(expected.begin(), expected.end());
  expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
  CHECK(chosen(region, mesh) == expected);
  region.group = "lip";
  CHECK_THROWS_AS(chosen(region, mesh), InputError);
}

TEST_CASE("a region describes its members, of which one may be given") {
  Region region;
  Listener listener;
  describe(listener, region);
  CHECK(listener.together == std::vector<std::string>{"side", "box", "sphere", "half_space",
                                                      "cylinder", "nearest", "face", "normal",
                                                      "group"});
  for (const char* name : {"side", "depth", "low", "near", "crease", "direction", "within", "in"})
    CHECK(std::count(listener.names.begin(), listener.names.end(), name) == 1);
  CHECK(listener.broken.empty());
  region.box = {Vec3(1, 0, 0), Vec3(0, 1, 1)};
  describe(listener, region);
  CHECK(listener.broken == std::vector<std::string>{"high"});
}
