#include "play/run_folder.h"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/errors.h"
#include "core/files.h"
#include "scene/test_folder.h"

using namespace pliant;
namespace fs = std::filesystem;
using IfTaken = RunFolder::IfTaken;

namespace {

constexpr IfTaken every_way[] = {IfTaken::refuse, IfTaken::overwrite, IfTaken::resume};

/// A folder as a run leaves it.
void leave_run(const TestFolder& folder, bool finished) {
  folder.add("run/metrics.csv", "frame\n");
  folder.add("run/recording.bin", "pliantR2");
  folder.add("run/checkpoint.bin", "x");
  folder.add("run/checkpoint.bin.part", "half");
  folder.add("run/ply/one_0000.ply", "ply");
  folder.add("run/run.json",
             finished ? "{\n  \"finished\": true\n}" : "{\n  \"finished\": false\n}");
}

}  // namespace

TEST_CASE("a new folder is made, with the folders above it") {
  for (const IfTaken way : every_way) {
    const TestFolder folder;
    const RunFolder run(folder.path() / "a" / "b", way);
    CHECK(fs::is_directory(folder.path() / "a" / "b"));
    CHECK(run.metrics().parent_path() == run.path());
  }
}

TEST_CASE("an empty folder is taken as it is") {
  const TestFolder folder;
  const RunFolder run(folder.path(), IfTaken::refuse);
  CHECK(fs::is_empty(folder.path()));
}

TEST_CASE("a folder with other things, or a file, is never touched") {
  const TestFolder folder;
  folder.add("thesis/chapter1.txt", "years of work");
  folder.add("film", "a file");
  for (const IfTaken way : every_way) {
    CHECK_THROWS_WITH_AS(RunFolder(folder.path() / "thesis", way),
                         doctest::Contains("other things"), InputError);
    CHECK_THROWS_WITH_AS(RunFolder(folder.path() / "film", way), doctest::Contains("is a file"),
                         InputError);
  }
  CHECK(read_text_file(folder.path() / "thesis" / "chapter1.txt") == "years of work");
}

TEST_CASE("what a folder would be refused for is told beforehand, and nothing is touched") {
  const TestFolder folder;
  leave_run(folder, false);
  folder.add("thesis/chapter1.txt", "years of work");
  for (const IfTaken way : every_way) {
    CHECK_NOTHROW(RunFolder::check(folder.path() / "new", way));
    CHECK_FALSE(fs::exists(folder.path() / "new"));
    CHECK_THROWS_AS(RunFolder::check(folder.path() / "thesis", way), InputError);
    CHECK_THROWS_AS(RunFolder::check(folder.path() / "thesis" / "chapter1.txt" / "a", way),
                    InputError);
  }
  const fs::path run = folder.path() / "run";
  CHECK_THROWS_AS(RunFolder::check(run, IfTaken::refuse), InputError);
  CHECK_NOTHROW(RunFolder::check(run, IfTaken::overwrite));
  CHECK_NOTHROW(RunFolder::check(run, IfTaken::resume));
  CHECK(fs::exists(run / "checkpoint.bin"));
  const RunFolder going_on(run, IfTaken::resume);
  for (const IfTaken way : every_way)
    CHECK_THROWS_WITH_AS(RunFolder::check(run, way), doctest::Contains("another run"), InputError);
}

TEST_CASE("a finished run is kept, as is anything worth keeping, unless it is to be overwritten") {
  const TestFolder folder;
  leave_run(folder, true);
  CHECK_THROWS_WITH_AS(RunFolder::check(folder.path() / "run", IfTaken::refuse),
                       doctest::Contains("finished run"), InputError);
  CHECK_THROWS_WITH_AS(RunFolder(folder.path() / "run", IfTaken::refuse),
                       doctest::Contains("--overwrite"), InputError);
  folder.add("tidied/film.mp4", "the only thing kept");
  CHECK_THROWS_WITH_AS(RunFolder(folder.path() / "tidied", IfTaken::refuse),
                       doctest::Contains("film.mp4"), InputError);
  CHECK(read_text_file(folder.path() / "run/ply/one_0000.ply") == "ply");
  CHECK(fs::exists(folder.path() / "tidied/film.mp4"));
  folder.add("killed/recording.bin", "before its first checkpoint");
  const RunFolder again(folder.path() / "killed", IfTaken::refuse);
  CHECK(fs::is_empty(again.path()));
}

TEST_CASE("the results of a run that is overwritten are cleared, and only those") {
  const TestFolder folder;
  leave_run(folder, true);
  folder.add("run/my notes.txt", "keep me");
  const RunFolder run(folder.path() / "run", IfTaken::overwrite);
  CHECK(read_text_file(folder.path() / "run" / "my notes.txt") == "keep me");
  CHECK(std::distance(fs::directory_iterator(run.path()), fs::directory_iterator()) == 1);
}

TEST_CASE("an unfinished run is kept unless the user says what to do with it") {
  const TestFolder folder;
  for (const bool killed : {false, true}) {  // a killed run has no run.json
    leave_run(folder, false);
    if (killed) fs::remove(folder.path() / "run" / "run.json");
    CHECK_THROWS_WITH_AS(RunFolder(folder.path() / "run", IfTaken::refuse),
                         doctest::Contains("--resume"), InputError);
    CHECK(fs::exists(folder.path() / "run" / "checkpoint.bin"));
    {
      const RunFolder run(folder.path() / "run", IfTaken::resume);
      CHECK(fs::exists(run.recording()));
      CHECK(fs::exists(folder.path() / "run" / "checkpoint.bin"));
    }
    const RunFolder run(folder.path() / "run", IfTaken::overwrite);
    CHECK(fs::is_empty(run.path()));
  }
}

TEST_CASE("a second run is kept out while the first goes on, and let in afterwards") {
  const TestFolder folder;
  {
    const RunFolder first(folder.path() / "run", IfTaken::refuse);
    for (const IfTaken way : every_way)
      CHECK_THROWS_WITH_AS(RunFolder(folder.path() / "run", way), doctest::Contains("another run"),
                           InputError);
  }
  CHECK_NOTHROW(RunFolder(folder.path() / "run", IfTaken::refuse));
}

TEST_CASE("a run of another process is kept out, and its end frees the folder") {
  const TestFolder folder;
  int ready[2], leave[2];
  REQUIRE(::pipe(ready) == 0);
  REQUIRE(::pipe(leave) == 0);
  const pid_t other = ::fork();
  REQUIRE(other >= 0);
  if (other == 0) {
    const RunFolder run(folder.path() / "run", IfTaken::refuse);
    char byte = 1;
    (void)!::write(ready[1], &byte, 1);
    (void)!::read(leave[0], &byte, 1);
    ::_exit(0);  // as if killed: no destructor runs
  }
  char byte = 1;
  REQUIRE(::read(ready[0], &byte, 1) == 1);
  CHECK_THROWS_WITH_AS(RunFolder(folder.path() / "run", IfTaken::resume),
                       doctest::Contains("another run"), InputError);
  REQUIRE(::write(leave[1], &byte, 1) == 1);
  int status = 0;
  REQUIRE(::waitpid(other, &status, 0) == other);
  CHECK_NOTHROW(RunFolder(folder.path() / "run", IfTaken::resume));
  for (const int end : {ready[0], ready[1], leave[0], leave[1]}) ::close(end);
}

TEST_CASE("a run that was refused does not keep the next one out") {
  const TestFolder folder;
  leave_run(folder, false);
  for (int repeat = 0; repeat < 3; ++repeat)
    CHECK_THROWS_AS(RunFolder(folder.path() / "run", IfTaken::refuse), InputError);
  CHECK_NOTHROW(RunFolder(folder.path() / "run", IfTaken::resume));
}
