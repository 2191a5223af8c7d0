#include "picture/film.h"

#include <doctest/doctest.h>
#include <fstream>
#include <iterator>

#include "core/errors.h"

namespace pliant {
namespace {

struct Folder {
  std::filesystem::path path = std::filesystem::temp_directory_path() / "pliant_film_test";
  Folder() {
    std::filesystem::remove_all(path);
    std::filesystem::create_directories(path);
  }
  ~Folder() { std::filesystem::remove_all(path); }
};

constexpr int width = 64, height = 48;

Image frame(int i) {
  Image image(width, height, {200, 200, 210});
  for (int y = 10; y < 30; ++y)
    for (int x = 0; x < 12; ++x) image.at((x + 3 * i) % width, y) = {220, 80, 60};
  return image;
}

std::string film(const std::filesystem::path& path) {
  FilmWriter writer(path, {.width = width, .height = height});
  for (int i = 0; i < 8; ++i) writer.add(frame(i));
  writer.finish();
  std::ifstream file(path, std::ios::binary);
  return std::string{std::istreambuf_iterator<char>(file), {}};
}

bool skip() {
  if (ffmpeg_available()) return false;
  MESSAGE("skipped: there is no ffmpeg in PATH");
  return true;
}

}  // namespace

TEST_CASE("a film is an MP4 file, the same each time, with nothing left beside it") {
  if (skip()) return;
  const Folder folder;
  const std::string once = film(folder.path / "-a b.mp4");  // no option, no shell
  REQUIRE(once.size() > 100);
  CHECK(once.substr(4, 4) == "ftyp");
  CHECK(once.find("moov") < once.find("mdat"));  // plays while it loads
  CHECK(film(folder.path / "again.mp4") == once);
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path), {}) == 2);
}

TEST_CASE("a film that is given up leaves no file") {
  if (skip()) return;
  const Folder folder;
  {
    FilmWriter writer(folder.path / "a.mp4", {.width = width, .height = height});
    writer.add(frame(0));
  }
  CHECK(std::filesystem::is_empty(folder.path));
}

TEST_CASE("a missing ffmpeg is an IoError that says what to do") {
  const Folder folder;
  const FilmSettings settings{.width = width, .height = height, .program = "no-such-ffmpeg"};
  CHECK_FALSE(ffmpeg_available(settings.program));
  try {
    FilmWriter writer(folder.path / "a.mp4", settings);
    FAIL("it was started");
  } catch (const IoError& error) {
    CHECK(std::string(error.what()).find("no-such-ffmpeg") != std::string::npos);
    CHECK(std::string(error.what()).find("PATH") != std::string::npos);
  }
  CHECK(std::filesystem::is_empty(folder.path));
}

TEST_CASE("when the encoder fails, its last words are in the IoError and no signal kills us") {
  if (skip()) return;
  const Folder folder;
  FilmWriter writer(folder.path / "no such folder" / "a.mp4", {.width = width, .height = height});
  try {
    for (int i = 0; i < 200; ++i) writer.add(frame(i));
    writer.finish();
    FAIL("it succeeded");
  } catch (const IoError& error) {
    CHECK(std::string(error.what()).find("No such file") != std::string::npos);
  }
}

TEST_CASE("a program that takes no frames is an IoError as well") {
  const Folder folder;
  if (!ffmpeg_available("false")) return;
  FilmWriter writer(folder.path / "a.mp4", {.width = width, .height = height, .program = "false"});
  CHECK_THROWS_AS(
      {
        for (int i = 0; i < 200; ++i) writer.add(frame(i));
        writer.finish();
      },
      IoError);
}

TEST_CASE("a program that hangs is ended after its patience, whether it reads or not") {
  const Folder folder;
  const auto film_of = [&](const std::string& script) {
    const std::filesystem::path program = folder.path / "encoder";
    std::ofstream(program) << "#!/bin/sh\n" << script << "\n";
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    FilmWriter writer(
        folder.path / "a.mp4",
        {.width = width, .height = height, .program = program.string(), .patience = 0.3});
    for (int i = 0; i < 200; ++i) writer.add(frame(i));
    writer.finish();
  };
  CHECK_THROWS_WITH_AS(film_of("sleep 100"), doctest::Contains("did nothing for 0.3 s"), IoError);
  CHECK_THROWS_WITH_AS(film_of("cat > /dev/null; sleep 100"), doctest::Contains("did nothing"),
                       IoError);
  CHECK_THROWS_WITH_AS(film_of("cat > /dev/null"), doctest::Contains("has written nothing"),
                       IoError);
  CHECK_THROWS_WITH_AS(film_of("kill -9 $$"), doctest::Contains("cannot write"), IoError);
}

TEST_CASE("odd sizes are refused") {
  const Folder folder;
  CHECK_THROWS_AS(FilmWriter(folder.path / "a.mp4", {.width = 63, .height = 48}), InputError);
  CHECK_THROWS_AS(FilmWriter(folder.path / "a.mp4", {.width = 64, .height = 0}), InputError);
}

}  // namespace pliant
