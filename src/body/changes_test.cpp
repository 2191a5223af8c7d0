#include "body/changes.h"

#include <doctest/doctest.h>

#include "body/body.h"

using namespace pliant;

TEST_CASE("handles keep their places when nodes are renumbered, and lose those that are gone") {
  Body body;
  Handle& handle = body.handles.emplace_back();
  handle.nodes = {0, 2, 3};
  handle.rest = {Vec3(0, 0, 0), Vec3(2, 0, 0), Vec3(3, 0, 0)};
  follow(body, {.node = {1, 0, -1, 2}});
  CHECK(body.handles[0].nodes == std::vector<int>{1, 2});
  CHECK(body.handles[0].rest == std::vector<Vec3>{Vec3(0, 0, 0), Vec3(3, 0, 0)});
}

TEST_CASE("a force stays whole when some of its vertices are gone") {
  Body body;
  Load& load = body.loads.emplace_back();
  load.vertices = {0, 1, 2};
  load.share = {0.5, 0.3, 0.2};
  follow(body, {.triangles = true, .vertex = {2, -1, 0}});
  CHECK(body.loads[0].vertices == std::vector<int>{2, 0});
  CHECK(body.loads[0].share[0] + body.loads[0].share[1] == doctest::Approx(1));
  CHECK(body.loads[0].share[0] / body.loads[0].share[1] == doctest::Approx(2.5));
}

TEST_CASE("pressure acts on all that its triangles have become") {
  Body body;
  body.loads.emplace_back().triangles = {1, 4};
  follow(body, {.triangles = true, .triangle = {0, 1, 1, 4, -1, 3}});
  CHECK(body.loads[0].triangles == std::vector<int>{1, 2, 3});
}

TEST_CASE("new nodes are accelerated as those beside them") {
  Body body;
  body.loads.emplace_back().nodes = {1, 2};
  // Node 0 dies, 1 and 2 move up; two are born, beside 2 and beside the one that died.
  follow(body, {.node = {-1, 0, 1}, .born_from = {2, 0}});
  CHECK(body.loads[0].nodes == std::vector<int>{0, 1, 2});
}

TEST_CASE("a mark follows its vertex, or the survivor nearest to where it was at rest") {
  Body body;
  body.skin.rest = {Vec3(0, 0, 0), Vec3(1, 0, 0)};
  body.marks = {{2, Vec3(5, 0, 0)}, {0, Vec3(0.8, 0, 0)}};
  follow(body, {.triangles = true, .vertex = {-1, 0, 1}});
  CHECK(body.marks[0].vertex == 1);
  CHECK(body.marks[1].vertex == 1);
}
