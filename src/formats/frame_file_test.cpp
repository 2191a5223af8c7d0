#include "formats/frame_file.h"

#include <doctest/doctest.h>

#include "core/files.h"
#include "formats/gltf.h"
#include "formats/point_cache.h"
#include "formats/testing.h"
#include "formats/usda.h"

using namespace pliant;
using testing::TemporaryFolder;

namespace {

using Vec3f = Eigen::Vector3f;
struct Enough {};

constexpr int frames = 30;

/// A film of two swinging triangles; may have enough after some frames.
struct Film {
  TemporaryFolder folder;
  std::vector<Vec3f> points;
  int left = -1, asked = 0;

  std::span<const Vec3f> at(int mesh, int frame) {
    if (left-- == 0) throw Enough();
    ++asked;
    const float t = 0.1f * float(frame);
    points = {{0, t, 0}, {1, t * t, float(mesh)}, {0.5f, 1, -t}};
    return points;
  }

  std::string write(const std::string& format, const std::string& job) {
    const std::filesystem::path path = folder / ("film." + format);
    const auto one = [&](int frame) { return at(0, frame); };
    const auto each = [&](int mesh, int frame) { return at(mesh, frame); };
    asked = 0;
    if (format == "pc2") write_pc2(path, 3, frames, one, job);
    if (format == "mdd") write_mdd(path, 3, std::vector<double>(frames, 0.5), one, job);
    if (format == "usda") {
      UsdaMesh mesh{.name = "a", .vertices = 3, .faces = {}};
      mesh.faces.add(std::vector<int>{0, 1, 2}, {}, std::vector<Triangle>{{0, 1, 2}});
      write_usda(path, std::vector{mesh, mesh}, frames, 24, each, job);
    }
    if (format == "glb") {
      GlbMesh mesh;
      mesh.triangles = {{0, 1, 2}};
      mesh.vertices = 3;
      write_glb(path, std::vector{mesh, mesh}, frames, 24, each, {.most_targets = 7, .job = job});
    }
    return read_text_file(path);
  }
  int files() const {
    return int(std::distance(std::filesystem::directory_iterator(folder / ""), {}));
  }
};

}  // namespace

TEST_CASE("a film stopped anywhere goes on after its last frame, to the same bytes") {
  for (const char* format : {"pc2", "mdd", "usda", "glb"}) {
    CAPTURE(format);
    Film film;
    const std::string whole = film.write(format, "");
    const int all = film.asked;
    CHECK(film.files() == 1);
    for (const int stop : {0, 1, 5, 7, 8, 16, frames - 1}) {
      CAPTURE(stop);
      std::filesystem::remove(film.folder / ("film." + std::string(format)));
      film.left = stop;
      CHECK_THROWS_AS(film.write(format, "job"), Enough);
      CHECK(!std::filesystem::exists(film.folder / ("film." + std::string(format))));
      film.left = -1;
      CHECK(film.write(format, "job") == whole);
      CHECK(film.asked <= all - stop + 2);  // a .glb must see again what its changes start from
      CHECK(film.files() == 1);
    }
  }
}

TEST_CASE("a killed film goes on after what was noted; another job's leftovers are not used") {
  for (const char* format : {"pc2", "usda", "glb"}) {
    CAPTURE(format);
    Film film;
    const std::string whole = film.write(format, ""), name = "film." + std::string(format);
    film.left = 20;
    CHECK_THROWS_AS(film.write(format, "job"), Enough);
    film.left = -1;
    const std::string part = read_text_file(film.folder / (name + ".part"));
    const std::string log = read_text_file(film.folder / (name + ".frames.part"));
    // What a kill leaves: a longer file than the log says, or half a line of the log.
    for (const std::size_t cut :
         {std::size_t(0), std::size_t(2), std::size_t(40), log.size() - 7}) {
      write_file(film.folder / (name + ".part"), part + "half a frame");
      write_file(film.folder / (name + ".frames.part"), log.substr(0, cut));
      CHECK(film.write(format, "job") == whole);
    }
    // A log that promises more than there is.
    write_file(film.folder / (name + ".part"), part.substr(0, part.size() / 2));
    write_file(film.folder / (name + ".frames.part"), log);
    CHECK(film.write(format, "job") == whole);
    for (const char* other : {"", "another", "jo"}) {
      write_file(film.folder / (name + ".part"), std::string(part.size(), 'x'));
      write_file(film.folder / (name + ".frames.part"), log);
      CHECK(film.write(format, other) == whole);
    }
  }
}
