#include "scene/model_files.h"

#include <doctest/doctest.h>

#include "scene/test_folder.h"

using namespace pliant;

TEST_CASE("a model file is read once: what becomes of it later does not count") {
  const TestFolder folder;
  folder.add("cube.obj", cube_obj);
  const std::filesystem::path path = folder.path() / "cube.obj";
  ModelFiles files;
  const Model& first = files.read(path);
  const std::size_t points = first.surface.points.size();
  CHECK(points > 0);
  std::filesystem::remove(path);
  CHECK(&files.read(path) == &first);
  CHECK(first.surface.points.size() == points);
  CHECK_THROWS_AS(files.read(folder.path() / "other.obj"), InputError);
}
