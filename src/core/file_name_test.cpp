#include "core/file_name.h"

#include <doctest/doctest.h>
#include <filesystem>

using namespace pliant;

TEST_CASE("no name, however written, becomes a file outside a folder or a hidden one") {
  for (const char* name : {"../../escaped", "/etc/passwd", "..", ".", "", ".hidden", "a/b", "a\\b",
                           "C:x", "~x", "-rf", "a\nb", "a\tb",
                           "a\xe2\x88\x95"
                           "b",
                           "\xe2\x80\xae"
                           "obj.exe",
                           "\xff\xfe", "con\x01", " x", "\xc0\xae\xc0\xae/"}) {
    CAPTURE(name);
    const std::string good = file_name_of(name);
    const std::filesystem::path path = std::filesystem::path("folder") / (good + ".obj");
    CHECK(path.lexically_normal().parent_path() == "folder");
    CHECK(good.front() != '.');
    CHECK(good.front() != '-');
    CHECK(!has_misleading_characters(good));
    CHECK(file_name_of(good) == good);
  }
  CHECK(file_name_of(std::string(1000, 'x')).size() == 64);
  CHECK(file_name_of("\xc3\xa4") == "\xc3\xa4");
  CHECK(file_name_of("left arm_2-b.1") == "left arm_2-b.1");
}

TEST_CASE("different names never share a file") {
  const std::vector<std::string> names = {"a/b", "a_b", "a:b", "a_b_2", "a_b_2"};
  const std::vector<std::string> good = file_names_of(names);
  for (std::size_t i = 0; i < good.size(); ++i)
    for (std::size_t k = 0; k < i; ++k) CHECK(good[i] != good[k]);
  CHECK(good[0] == "a_b");
}

TEST_CASE("bytes that are no UTF-8 are found and replaced, letters of any language stay") {
  const std::string ancient = "\xf0\x90\x8d\x88";
  CHECK(valid_utf8("b\xc3\xa4r " + ancient) == "b\xc3\xa4r " + ancient);
  CHECK(valid_utf8("latin\xe9") == "latin?");
  CHECK(valid_utf8("\xed\xa0\x80") == "???");  // half of a pair
  CHECK(has_misleading_characters("latin\xe9"));
  CHECK(!has_misleading_characters("Model (1), \xc3\xa4.bin"));
}
