#include "core/files.h"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/errors.h"

using namespace pliant;
namespace fs = std::filesystem;

namespace {

/// A folder of our own that disappears with the test.
struct Folder {
  fs::path path = fs::temp_directory_path() / ("pliant_files_test_" + std::to_string(::getpid()));
  Folder() { fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }
};

}  // namespace

TEST_CASE("a written file reads back, and nothing is left beside it") {
  const Folder folder;
  write_file(folder.path / "a.txt", std::string_view("first"));
  write_file(folder.path / "a.txt", std::string_view("second"));
  CHECK(read_text_file(folder.path / "a.txt") == "second");
  CHECK(std::distance(fs::directory_iterator(folder.path), fs::directory_iterator()) == 1);
}

TEST_CASE("what is not an ordinary readable file is bad input, and a pipe does not block") {
  const Folder folder;
  CHECK_THROWS_WITH_AS(read_text_file(folder.path / "missing"), doctest::Contains("missing"),
                       InputError);
  CHECK_THROWS_WITH_AS(read_text_file(folder.path), doctest::Contains("folder"), InputError);
  REQUIRE(::mkfifo((folder.path / "pipe").c_str(), 0600) == 0);
  CHECK_THROWS_WITH_AS(read_text_file(folder.path / "pipe"), doctest::Contains("ordinary"),
                       InputError);
  write_file(folder.path / "big", std::string_view("0123456789"));
  CHECK_THROWS_WITH_AS(read_text_file(folder.path / "big", 5), doctest::Contains("larger"),
                       InputError);
}

TEST_CASE("writing where one may not is an I/O error with the system's reason") {
  CHECK_THROWS_WITH_AS(write_file("/nowhere/at/all/a.txt", std::string_view("x")),
                       doctest::Contains("No such file"), IoError);
}

TEST_CASE("a folder that cannot be made or written is bad input that is told beforehand") {
  const Folder folder;
  write_file(folder.path / "file", std::string_view("x"));
  for (const char* fine : {"", "new", "new/", "a/b/c"})
    CHECK_NOTHROW(check_output_folder(folder.path / fine));
  CHECK_FALSE(fs::exists(folder.path / "new"));
  CHECK_FALSE(fs::exists(folder.path / "a"));
  CHECK_THROWS_WITH_AS(check_output_folder(folder.path / "file"), doctest::Contains("is a file"),
                       InputError);
  CHECK_THROWS_WITH_AS(check_output_folder(folder.path / "file" / "b" / "c"),
                       doctest::Contains((folder.path / "file").c_str()), InputError);
  fs::create_directory(folder.path / "closed");
  fs::permissions(folder.path / "closed", fs::perms::owner_read | fs::perms::owner_exec);
  if (::geteuid() == 0) return;  // who may do everything
  for (const char* inside : {"closed", "closed/a", "closed/a/b"})
    CHECK_THROWS_WITH_AS(check_output_folder(folder.path / inside),
                         doctest::Contains("ermission denied"), InputError);
  CHECK_THROWS_AS(check_output_folder("/proc/pliant"), InputError);
}

TEST_CASE("a growing file goes on from the length it is cut to") {
  const Folder folder;
  const fs::path path = folder.path / "log";
  {
    GrowingFile file(path, 0);
    file.append(std::string_view("one\n"));
    file.append(std::string_view("two\n"));
    CHECK(file.length() == 8);
  }
  {
    GrowingFile file(path, 4);
    file.append(std::string_view("zwei\n"));
  }
  CHECK(read_text_file(path) == "one\nzwei\n");
  CHECK_THROWS_AS(GrowingFile(path, 100), IoError);
}
