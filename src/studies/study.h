#pragma once

#include <filesystem>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

namespace pliant {

/// One line of `pliant papers`: what a paper or a closed form says, what we get.
struct PaperRow {
  std::string expected = {};
  std::string ours = {};
  bool met = false;
  std::string remark = {};  // one honest line where it is not met, or needs a word
};

struct Experiment {
  const char* id;
  const char* what;
  PaperRow (*run)(bool quick);
};

/// Every experiment there is, method by method.
std::vector<Experiment> experiments();

/// One line of `pliant bench`. Which figures there are is the benchmark's own choice: its table has
/// the columns that its rows name.
struct BenchRow {
  struct Figure {
    std::string name;  // "ms/frame"
    double value = 0;
  };
  std::string name;  // "bar-10k/plain/20x1"
  int threads = 1;
  std::vector<Figure> figures;
  std::string hash;  // of the final state: a speed-up that changes the answer is seen at once

  void add(const std::string& figure, double value) { figures.push_back({figure, value}); }
};

/// What is asked of a benchmark.
struct BenchWish {
  bool quick = false;
  std::vector<std::string> rows;                   // parts of their names; none = all rows
  std::vector<std::filesystem::path> models = {};  // files or folders that some can be run on

  bool wants(const std::string& row) const;
  /// Any of the rows that begin so and end so.
  bool wants(const std::string& beginning, std::initializer_list<const char*> endings) const;
};

struct Benchmark {
  const char* id;
  const char* what;
  /// Rows that are not wanted may be there all the same, where leaving them out saves nothing.
  std::vector<BenchRow> (*run)(const BenchWish&);
};

std::vector<Benchmark> benchmarks();

/// True when `id` is one of `wanted`, or begins with one of them, or nothing is wanted in
/// particular.
bool is_wanted(const std::string& id, const std::vector<std::string>& wanted);

}  // namespace pliant
