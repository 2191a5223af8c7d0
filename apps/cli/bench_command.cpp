#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "studies/study.h"

namespace pliant::cli {

ExitCode bench(const TableArguments& arguments) {
  nlohmann::json rows = nlohmann::json::array();
  if (!arguments.json)
    fmt::print("{:24} {:>7} {:>10} {:>11} {:>8} {:>8} {:>6} {:>5} {:>9}  {}\n", "benchmark",
               "threads", "ms/frame", "ns/element", "x plain", "x limit", "colors", "fill",
               "volume", "hash");
  std::string known;
  for (const Benchmark& benchmark : benchmarks()) {
    known += (known.empty() ? "" : ", ") + std::string(benchmark.id);
    if (!is_wanted(benchmark.id, arguments.ids)) continue;
    for (const BenchRow& row : benchmark.run(arguments.quick)) {
      rows.push_back({{"name", row.name},
                      {"threads", row.threads},
                      {"ms_per_frame", row.ms_per_frame},
                      {"ns_per_element", row.ns_per_element},
                      {"x_plain", row.x_plain},
                      {"x_limit", row.x_limit},
                      {"colors", row.colors},
                      {"lane_fill", row.lane_fill},
                      {"error", row.error},
                      {"hash", row.hash}});
      if (arguments.json) continue;
      fmt::print("{:24} {:>7} {:>10.3f} {:>11.1f} {:>8.2f} {:>8.2f} {:>6} {:>5.2f} {:>9.1e}  {}\n",
                 row.name, row.threads, row.ms_per_frame, row.ns_per_element, row.x_plain,
                 row.x_limit, row.colors, row.lane_fill, row.error, row.hash);
    }
  }
  if (rows.empty()) throw InputError("", "", "there is no such benchmark", "there are: " + known);
  if (arguments.json) fmt::print("{}\n", nlohmann::json{{"rows", rows}}.dump(2));
  return ExitCode::ok;
}

}  // namespace pliant::cli
