#include "core/disjoint_sets.h"

#include <cstdint>
#include <doctest/doctest.h>
#include <utility>
#include <vector>

#include "core/parallel.h"
#include "core/random.h"

using namespace pliant;

TEST_CASE("sets that several threads join at once are those that one joins") {
  constexpr int things = 20'000;
  for (const int pairs : {1000, 10'000, 60'000}) {  // few sets, many, and nearly one
    std::vector<std::pair<int, int>> joins;
    for (int k = 0; k < pairs; ++k)
      joins.emplace_back(int(things * random_unit(1, std::uint64_t(2 * k))),
                         int(things * random_unit(1, std::uint64_t(2 * k + 1))));
    DisjointSets one(things);
    for (const auto& [a, b] : joins) one.join(a, b);
    for (const int count : {2, 3, 7}) {
      set_threads(count);
      DisjointSets many(things);
      parallel_for(pairs, 16, [&](int begin, int end) {
        for (int k = begin; k < end; ++k) many.join_at_once(joins[k].first, joins[k].second);
      });
      CHECK(many.numbers() == one.numbers());
    }
  }
  set_threads(0);
}
