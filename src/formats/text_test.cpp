#include "formats/text.h"

#include <clocale>
#include <cmath>
#include <doctest/doctest.h>

#include "formats/problems.h"
#include "formats/testing.h"

using namespace pliant;
using namespace pliant::testing;

static std::vector<std::string> lines_of(std::string_view text, bool continued = false) {
  std::vector<std::string> found;
  Lines lines(text, "x", continued);
  while (lines.next())
    found.push_back(std::to_string(lines.number()) + ":" + std::string(lines.line()));
  return found;
}

TEST_CASE("LF, CRLF and lone CR end a line, alone or mixed") {
  using List = std::vector<std::string>;
  CHECK(lines_of("a\nb\n") == List{"1:a", "2:b"});
  CHECK(lines_of("a\r\nb") == List{"1:a", "2:b"});
  CHECK(lines_of("a\rb\rc") == List{"1:a", "2:b", "3:c"});
  CHECK(lines_of("a\r\rb\n\nc\r\n") == List{"1:a", "2:", "3:b", "4:", "5:c"});
  CHECK(lines_of("").empty());
}

TEST_CASE("a backslash joins lines, which keep the number of the first") {
  using List = std::vector<std::string>;
  CHECK(lines_of("a\\\nb\\\r\nc\nd", true) == List{"1:a b c", "4:d"});
  CHECK(lines_of("a\\", true) == List{"1:a "});
  CHECK(lines_of("a\\\nb", false) == List{"1:a\\", "2:b"});
}

TEST_CASE("lines above 16 MiB are refused, joined ones too") {
  const std::string half(std::size_t(9) << 20, 'x');
  CHECK(has(refusal([&] { lines_of("a\n" + half + half); }), "line 2 is longer than 16 MiB"));
  CHECK(has(refusal([&] { lines_of("a\n" + half + "\\\n" + half, true); }), "line 2 is longer"));
  CHECK(lines_of(half + "\n" + half).size() == 2);
}

TEST_CASE("a million lone carriage returns are read in linear time") {
  CHECK(lines_of(std::string(1'000'000, '\r')).size() == 1'000'000);
}

TEST_CASE("text is told from other bytes") {
  using namespace std::string_view_literals;
  CHECK(checked_text("\xEF\xBB\xBFv\0\0"sv, "x") == "v");
  CHECK(has(refusal([] { checked_text("", "x.obj"); }), "x.obj: is an empty file"));
  CHECK(has(refusal([] { checked_text("\xFF\xFEv\0"sv, "x"); }), "UTF-16"));
  CHECK(has(refusal([] { checked_text("\xFE\xFF\0v"sv, "x"); }), "UTF-16"));
  CHECK(has(refusal([] { checked_text("v\0 \0001\0"sv, "x"); }), "UTF-16"));
  CHECK(has(refusal([] { checked_text("vv\0 1"sv, "x"); }), "byte 2 is zero"));
}

TEST_CASE("numbers are read the same under a locale with a decimal comma") {
  const std::string before = std::setlocale(LC_ALL, nullptr);
  bool set = false;
  for (const char* name : {"de_DE.UTF-8", "de_DE", "fr_FR.UTF-8"})
    set = set || std::setlocale(LC_ALL, name);
  if (!set) MESSAGE("no locale with a decimal comma is installed");
  double value = 0;
  CHECK(parse_number("1.5", value) == NumberKind::finite);
  CHECK(value == 1.5);
  CHECK(parse_number("1,5", value) == NumberKind::not_a_number);
  std::setlocale(LC_ALL, before.c_str());
}

TEST_CASE("numbers are finite, not finite or none at all") {
  double value = 7;
  CHECK(parse_number("+2.5e-1", value) == NumberKind::finite);
  CHECK(value == 0.25);
  const std::string many_zeros = "0." + std::string(400, '0') + "1";
  for (const char* tiny : {"1e-400", "-1e-99999", many_zeros.c_str()}) {
    CHECK(parse_number(tiny, value) == NumberKind::finite);
    CHECK(std::abs(value) == 0);
  }
  for (const char* wild : {"nan", "-NaN", "inf", "-Infinity", "1e400", "-1e99999"})
    CHECK_MESSAGE(parse_number(wild, value) == NumberKind::not_finite, wild);
  for (const char* none : {"", "+", "-", "+-1", "1x", "x", "0x10", "1e", "--1", ".", "1 "})
    CHECK_MESSAGE(parse_number(none, value) == NumberKind::not_a_number, none);
}

TEST_CASE("the first 20 problems are shown in the order of the file, and the rest counted") {
  Problems problems("f");
  for (int line = 1000; line > 0; --line) problems.add_line(line, "is bad");
  try {
    problems.throw_if_any();
    FAIL("nothing thrown");
  } catch (const InputError& error) {
    REQUIRE(error.problems().size() == 21);
    CHECK(error.problems()[0].where == "line 1");
    CHECK(error.problems()[19].where == "line 20");
    CHECK(error.problems()[20].what == "and 980 more problems");
  }
}
