#include "core/parallel.h"

#include <atomic>
#include <chrono>
#include <cmath>
#include <doctest/doctest.h>
#include <stdexcept>
#include <thread>
#include <vector>

using namespace pliant;

TEST_CASE("every index is visited once, for any number of threads") {
  for (const int count : {1, 2, 3, 7}) {
    set_threads(count);
    std::vector<int> visits(10'007, 0);
    for (int repeat = 0; repeat < 50; ++repeat)
      parallel_for(int(visits.size()), 64, [&](int begin, int end) {
        for (int i = begin; i < end; ++i) ++visits[i];
      });
    for (const int v : visits) REQUIRE(v == 50);
  }
  set_threads(0);
}

TEST_CASE("a stage sees all of the stage before, for any number of threads") {
  const std::vector<WorkStage> stages = {{1000, 10}, {1, 1}, {0, 5}, {1000, 999}, {1000, 3}};
  for (const int count : {1, 2, 3, 7}) {
    set_threads(count);
    for (int repeat = 0; repeat < 200; ++repeat) {
      std::vector<int> row(1000, 0);
      int sum = 0;
      parallel_stages(stages, [&](int stage, int begin, int end) {
        if (stage == 0)
          for (int i = begin; i < end; ++i) row[i] = i;
        if (stage == 1)
          for (const int value : row) sum += value;
        if (stage >= 3)
          for (int i = begin; i < end; ++i) row[i] = sum - row[i];
      });
      REQUIRE(sum == 499'500);
      for (int i = 0; i < 1000; ++i) REQUIRE(row[i] == i);  // turned round twice
    }
  }
  set_threads(0);
}

TEST_CASE("after an exception in a stage there are no later stages") {
  for (const int count : {1, 2, 3}) {
    set_threads(count);
    const std::vector<WorkStage> stages = {{100, 1}, {100, 1}};
    std::atomic<int> later = 0;
    CHECK_THROWS_AS(parallel_stages(stages,
                                    [&](int stage, int begin, int) {
                                      if (stage == 1) ++later;
                                      else if (begin == 57) throw std::runtime_error("57");
                                    }),
                    std::runtime_error);
    CHECK(later == 0);
  }
  set_threads(0);
}

TEST_CASE("a sum has the same bits on 1, 2, 3 and 7 threads") {
  const auto harmonic = [] {
    return parallel_sum(100'000, 1000, [](int begin, int end) {
      double sum = 0;
      for (int i = begin; i < end; ++i) sum += 1.0 / (i + 1);
      return sum;
    });
  };
  set_threads(1);
  const double expected = harmonic();
  for (const int count : {2, 3, 7}) {
    set_threads(count);
    CHECK(harmonic() == expected);
  }
  set_threads(0);
  CHECK(expected == doctest::Approx(std::log(1e5) + 0.5772156649 + 0.5e-5).epsilon(1e-9));
}

TEST_CASE("the largest of nothing is the given lowest") {
  CHECK(parallel_max(0, 10, -1, [](int, int) { return 5.0; }) == -1);
  CHECK(parallel_max(30, 10, -1, [](int begin, int) { return double(begin); }) == 20);
}

TEST_CASE("nested loops visit every index once, for any number of threads") {
  for (const int count : {1, 2, 3, 7}) {
    set_threads(count);
    std::vector<int> visits(100 * 100, 0);
    for (int repeat = 0; repeat < 20; ++repeat)
      parallel_for(100, 1, [&](int row, int) {
        parallel_for(10, 1, [&](int tens, int) {  // the last row has more to do than the others
          parallel_for(row == 99 ? 10 : 1, 3, [&](int begin, int end) {
            for (int i = begin; i < end; ++i) ++visits[row * 100 + tens * 10 + i];
          });
        });
      });
    for (int i = 0; i < int(visits.size()); ++i)
      REQUIRE(visits[i] == (i / 100 == 99 || i % 10 == 0 ? 20 : 0));
  }
  set_threads(0);
}

TEST_CASE("a stage of a nested loop sees all of the stage before") {
  const std::vector<WorkStage> stages = {{40, 7}, {1, 1}, {40, 3}};
  for (const int count : {1, 2, 3, 7}) {
    set_threads(count);
    for (int repeat = 0; repeat < 100; ++repeat) {
      std::vector<std::vector<int>> rows(5, std::vector<int>(40, 0));
      std::vector<int> sums(rows.size(), 0);
      parallel_for(int(rows.size()), 1, [&](int r, int) {
        parallel_stages(stages, [&](int stage, int begin, int end) {
          if (stage == 0)
            for (int i = begin; i < end; ++i) rows[r][i] = i;
          if (stage == 1)
            for (const int value : rows[r]) sums[r] += value;
          if (stage == 2)
            for (int i = begin; i < end; ++i) rows[r][i] = sums[r] - rows[r][i];
        });
      });
      for (const std::vector<int>& row : rows)
        for (int i = 0; i < 40; ++i) REQUIRE(row[i] == 780 - i);
    }
  }
  set_threads(0);
}

TEST_CASE("an idle thread helps with the loops of others' chunks") {
  // The last two chunks of a nested loop wait for each other: that ends only if two threads do
  // them, the one whose chunk it is and the one whose own chunk was done at once.
  set_threads(2);
  for (const int large : {0, 1}) {
    std::atomic<int> here = 0;
    bool met = true;
    parallel_for(2, 1, [&](int chunk, int) {
      if (chunk != large) return;
      // Chunks are done on the spot until the other has nothing to do; by the end it has nothing.
      parallel_for(1'000'000, 1, [&](int begin, int) {
        if (begin == 0) std::this_thread::sleep_for(std::chrono::milliseconds(20));
        if (begin < 999'998) return;
        ++here;
        const auto start = std::chrono::steady_clock::now();
        while (here < 2 && met)
          met = std::chrono::steady_clock::now() - start < std::chrono::seconds(60);
      });
    });
    CHECK(met);
  }
  set_threads(0);
}

TEST_CASE("an exception in a nested loop reaches the caller of the outer one") {
  set_threads(3);
  for (int repeat = 0; repeat < 50; ++repeat)
    CHECK_THROWS_AS(parallel_for(3, 1,
                                 [](int row, int) {
                                   parallel_for(100, 1, [&](int begin, int) {
                                     if (row == 1 && begin == 57) throw std::runtime_error("57");
                                   });
                                 }),
                    std::runtime_error);
  set_threads(0);
}

TEST_CASE("an exception in a chunk reaches the caller and the pool goes on working") {
  set_threads(2);
  CHECK_THROWS_AS(parallel_for(100, 1,
                               [](int begin, int) {
                                 if (begin == 57) throw std::runtime_error("57");
                               }),
                  std::runtime_error);
  int last = 0;
  parallel_for(1, 1, [&](int, int end) { last = end; });
  CHECK(last == 1);
  set_threads(0);
}

TEST_CASE("two callers in two threads take turns") {
  set_threads(2);
  std::vector<int> a(5000, 0), b(5000, 0);
  const auto fill = [](std::vector<int>& values) {
    for (int repeat = 0; repeat < 20; ++repeat)
      parallel_for(int(values.size()), 100, [&](int begin, int end) {
        for (int i = begin; i < end; ++i) ++values[i];
      });
  };
  std::thread other([&] { fill(a); });
  fill(b);
  other.join();
  CHECK(a == std::vector<int>(5000, 20));
  CHECK(b == a);
  set_threads(0);
}
