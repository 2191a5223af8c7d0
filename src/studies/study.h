#pragma once

#include <span>
#include <string>
#include <vector>

namespace pliant {

/// One line of `pliant papers`: what a paper or a closed form says, what we get.
struct PaperRow {
  std::string expected;
  std::string ours;
  bool met = false;
  std::string remark;  // one honest line where it is not met, or needs a word
};

struct Experiment {
  const char* id;
  const char* what;
  PaperRow (*run)(bool quick);
};

/// Every experiment there is, method by method.
std::vector<Experiment> experiments();

/// One line of `pliant bench`.
struct BenchRow {
  std::string name;  // "bar-10k/plain/20x1"
  int threads = 1;
  double ms_per_frame = 0;
  double ns_per_element = 0;  // and iteration; 0 where there are no elements
  double x_limit = 0;         // time over that of the bare projections alone; 0 = not compared
  double lane_fill = 0;       // share of SIMD lanes that do work; 0 = no lanes
  int colors = 0;             // passes per sweep; 0 = no colors
  double x_plain =
      0;  // how many times faster than the plain version in the same run; 0 = not compared
  double error = 0;  // volume ratio minus one: a speed without it is worth nothing
  std::string hash;  // of the final state: a speed-up that changes the answer is seen at once
};

struct Benchmark {
  const char* id;
  const char* what;
  std::vector<BenchRow> (*run)(bool quick);
};

std::vector<Benchmark> benchmarks();

/// True when `id` is one of `wanted`, or begins with one of them, or nothing is wanted in
/// particular.
bool is_wanted(const std::string& id, const std::vector<std::string>& wanted);

}  // namespace pliant
