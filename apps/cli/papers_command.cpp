#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "json_output.h"
#include "studies/study.h"

namespace pliant::cli {
namespace {

void refuse_unknown(const std::vector<std::string>& ids) {
  std::string known;
  for (const Experiment& e : experiments())
    known += (known.empty() ? "" : ", ") + std::string(e.id);
  for (const std::string& id : ids) {
    bool found = false;
    for (const Experiment& e : experiments()) found = found || is_wanted(e.id, {id});
    if (!found)
      throw InputError("", "", fmt::format("there is no experiment \"{}\"", id),
                       "there are: " + known);
  }
}

}  // namespace

ExitCode papers(const TableArguments& arguments) {
  refuse_unknown(arguments.ids);
  nlohmann::json rows = nlohmann::json::array();
  int met = 0;
  if (!arguments.json)
    fmt::print("{:14} {:32} {:32} {}\n", "experiment", "expected", "ours", "verdict");
  for (const Experiment& experiment : experiments()) {
    if (!is_wanted(experiment.id, arguments.ids)) continue;
    const PaperRow row = experiment.run(arguments.quick);
    met += row.met;
    rows.push_back({{"id", experiment.id},
                    {"what", experiment.what},
                    {"expected", row.expected},
                    {"ours", row.ours},
                    {"met", row.met},
                    {"remark", row.remark}});
    if (arguments.json) continue;
    fmt::print("{:14} {:32} {:32} {}\n{:14} {}: {}\n", experiment.id, row.expected, row.ours,
               row.met ? "met" : "NOT MET", "", experiment.what, row.remark);
  }
  if (arguments.json) print_json(nlohmann::json{{"rows", rows}});
  else fmt::print("{} of {} met\n", met, rows.size());
  return ExitCode::ok;
}

}  // namespace pliant::cli
