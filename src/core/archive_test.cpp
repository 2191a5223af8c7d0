#include "core/archive.h"

#include <cmath>
#include <doctest/doctest.h>

using namespace pliant;

namespace {

struct State {
  double time = 0;
  std::vector<double> values;
  std::vector<int> ids;
  std::string name;

  void archive(Archive& archive) {
    archive.value("time", time);
    archive.array("values", values);
    archive.array("ids", ids);
    archive.text("name", name);
  }
};

State sample() { return {1.5, {1, -2.25, 1e-300}, {4, 5, 6, 7}, "bunny"}; }

std::vector<std::byte> saved(State state) {
  Archive archive = Archive::saving();
  state.archive(archive);
  return archive.take_bytes();
}

std::uint64_t hashed(State state) {
  Archive archive = Archive::hashing();
  state.archive(archive);
  return archive.hash();
}

}  // namespace

TEST_CASE("loading what was saved gives the same state, to the last byte") {
  const std::vector<std::byte> bytes = saved(sample());
  State loaded;
  Archive archive = Archive::loading(bytes);
  loaded.archive(archive);
  CHECK(archive.at_end());
  CHECK(saved(loaded) == bytes);
  CHECK(hashed(loaded) == hashed(sample()));
}

TEST_CASE("the hash changes with any bit of the state but not with the sign of zero") {
  State changed = sample();
  changed.values[1] = std::nextafter(changed.values[1], 0);
  CHECK(hashed(changed) != hashed(sample()));
  State longer = sample();
  longer.ids.push_back(0);
  CHECK(hashed(longer) != hashed(sample()));
  State plus = sample(), minus = sample();
  plus.time = 0.0;
  minus.time = -0.0;
  CHECK(hashed(plus) == hashed(minus));
}

TEST_CASE("a truncated archive is refused at every length") {
  const std::vector<std::byte> bytes = saved(sample());
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    State loaded;
    Archive archive = Archive::loading({bytes.data(), length});
    CHECK_THROWS_AS(loaded.archive(archive), ArchiveError);
  }
}

TEST_CASE("an archive of something else is refused by name") {
  Archive other = Archive::saving();
  int count = 3;
  other.value("count", count);
  const std::vector<std::byte> bytes = other.take_bytes();
  State loaded;
  Archive archive = Archive::loading(bytes);
  CHECK_THROWS_WITH_AS(loaded.archive(archive), doctest::Contains("time"), ArchiveError);
}
