#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "json_output.h"
#include "studies/study.h"

namespace pliant::cli {
namespace {

/// Four digits say more than a machine here can measure.
std::string shown(double value) {
  if (value == std::floor(value) && std::abs(value) < 1e6) return fmt::format("{:.0f}", value);
  if (std::abs(value) < 1e-3) return fmt::format("{:.1e}", value);
  return fmt::format("{:.4g}", value);
}

/// Rows of words, the first one the names of the columns.
using Table = std::vector<std::vector<std::string>>;

Table table_of(const std::vector<BenchRow>& rows) {
  std::vector<std::string> columns;
  for (const BenchRow& row : rows)
    for (const BenchRow::Figure& figure : row.figures)
      if (std::find(columns.begin(), columns.end(), figure.name) == columns.end())
        columns.push_back(figure.name);
  Table table = {{"benchmark", "threads"}};
  table[0].insert(table[0].end(), columns.begin(), columns.end());
  table[0].push_back("hash");
  for (const BenchRow& row : rows) {
    std::vector<std::string>& line = table.emplace_back();
    line = {row.name, std::to_string(row.threads)};
    for (const std::string& column : columns) {
      const auto known = std::find_if(row.figures.begin(), row.figures.end(),
                                      [&](const auto& figure) { return figure.name == column; });
      line.push_back(known == row.figures.end() ? "" : shown(known->value));
    }
    line.push_back(row.hash.substr(0, 8));
  }
  return table;
}

void print(const Table& table, bool markdown) {
  std::vector<std::size_t> width(table[0].size(), 0);
  for (const auto& line : table)
    for (std::size_t c = 0; c < line.size(); ++c) width[c] = std::max(width[c], line[c].size());
  for (std::size_t r = 0; r < table.size(); ++r) {
    std::string line;
    for (std::size_t c = 0; c < table[r].size(); ++c) {
      if (markdown) line += "| ";
      line += c == 0 ? fmt::format("{:{}} ", table[r][c], width[c])
                     : fmt::format("{:>{}} ", table[r][c], width[c]);
      if (!markdown) line += ' ';
    }
    fmt::print("{}{}\n", line, markdown ? "|" : "");
    if (!markdown || r > 0) continue;
    for (std::size_t c = 0; c < width.size(); ++c) fmt::print("|{}", c == 0 ? "---" : "--:");
    fmt::print("|\n");
  }
}

std::vector<BenchRow> asked(const Benchmark& benchmark, const BenchArguments& arguments) {
  const BenchWish wish{
      arguments.quick, arguments.rows, {arguments.models.begin(), arguments.models.end()}};
  std::vector<BenchRow> rows = benchmark.run(wish);
  std::erase_if(rows, [&](const BenchRow& row) { return !wish.wants(row.name); });
  return rows;
}

}  // namespace

ExitCode bench(const BenchArguments& arguments) {
  nlohmann::json all = nlohmann::json::array();
  std::string known;
  bool any = false;
  for (const Benchmark& benchmark : benchmarks()) {
    known += (known.empty() ? "" : ", ") + std::string(benchmark.id);
    if (!is_wanted(benchmark.id, arguments.ids)) continue;
    if (!arguments.json)
      fmt::print("{}{}: {}\n\n", any ? "\n" : "",
                 arguments.markdown ? fmt::format("**{}**", benchmark.id) : benchmark.id,
                 benchmark.what);
    any = true;
    const std::vector<BenchRow> rows = asked(benchmark, arguments);
    for (const BenchRow& row : rows) {
      nlohmann::json figures;
      for (const BenchRow::Figure& figure : row.figures) figures[figure.name] = figure.value;
      all.push_back({{"benchmark", benchmark.id},
                     {"name", row.name},
                     {"threads", row.threads},
                     {"figures", figures},
                     {"hash", row.hash}});
    }
    if (!arguments.json) print(table_of(rows), arguments.markdown);
  }
  if (!any) throw InputError("", "", "there is no such benchmark", "there are: " + known);
  if (arguments.json) print_json(nlohmann::json{{"rows", all}});
  return ExitCode::ok;
}

}  // namespace pliant::cli
