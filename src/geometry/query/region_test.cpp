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

TEST_CASE("a region describes its five members, of which one may be given") {
  Region region;
  Listener listener;
  describe(listener, region);
  CHECK(listener.together ==
        std::vector<std::string>{"box", "sphere", "half_space", "nearest", "group"});
  CHECK(listener.names == std::vector<std::string>{"box", "low", "high", "sphere", "centre",
                                                   "radius", "half_space", "point", "normal",
                                                   "nearest", "point", "count", "group"});
  CHECK(listener.broken.empty());
  region.box = {Vec3(1, 0, 0), Vec3(0, 1, 1)};
  describe(listener, region);
  CHECK(listener.broken == std::vector<std::string>{"high"});
}
