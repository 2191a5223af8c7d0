#include "formats/isolated.h"

#include <cstdlib>
#include <doctest/doctest.h>
#include <new>

#include "formats/testing.h"

using namespace pliant;
using End = Isolated::End;

static std::vector<std::byte> bytes(std::size_t count) {
  std::vector<std::byte> result(count);
  for (std::size_t i = 0; i < count; ++i) result[i] = std::byte(i * i);
  return result;
}

TEST_CASE("the result of isolated work comes back, and nothing else that it did") {
  int touched = 0;
  for (const std::size_t count : {0, 1, 100, 3000000}) {
    const Isolated done = isolated({}, [&] {
      ++touched;
      return bytes(count);
    });
    CHECK(done.end == End::done);
    CHECK(done.result == bytes(count));
  }
  CHECK(touched == 0);
}

TEST_CASE("a refusal in isolated work is a refusal here, with all of its words") {
  const std::string said = testing::refusal([] {
    isolated({}, []() -> std::vector<std::byte> {
      throw InputError({{"a.step", "line 3", "is odd", "try another"}, {"", "", "and again", ""}});
    });
  });
  CHECK(said == to_string({"a.step", "line 3", "is odd", "try another"}) + "\nand again");
}

TEST_CASE("work that crashes, never ends or asks for all memory is told, and we go on") {
  using Bytes = std::vector<std::byte>;
  CHECK(isolated({}, []() -> Bytes { std::abort(); }).end == End::crashed);
  CHECK(isolated({}, []() -> Bytes { throw 3; }).end == End::crashed);
  CHECK(isolated({}, []() -> Bytes { std::_Exit(0); }).end == End::crashed);
  CHECK(isolated({}, []() -> Bytes { throw std::bad_alloc(); }).end == End::out_of_memory);
  const auto endless = []() -> Bytes {
    while (::getpid() > 0) {
    }
    return {};
  };
  CHECK(isolated({.seconds = 1}, endless).end == End::out_of_time);
}
