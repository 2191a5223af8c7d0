#include <fmt/format.h>

#include "commands.h"
#include "formats/cad.h"
#include "geometry/nurbs/models.h"
#include "scene/words.h"

namespace pliant::cli {
namespace {

ExitCode list_models() {
  for (const MadeModel& model : made_models()) fmt::print("{:10} {}\n", model.name, model.help);
  fmt::print(
      "\n`pliant model NAME -o FILE.step` (or .iges) writes one; scenes have them by name: "
      "\"model\": \"NAME\".\n");
  return ExitCode::ok;
}

const MadeModel& find_model(const std::string& name) {
  if (const MadeModel* const found = find_made_model(name)) return *found;
  std::vector<std::string> known;
  for (const MadeModel& model : made_models()) known.push_back(model.name);
  const std::string meant = nearest_word(name, known);
  throw InputError(name, "",
                   "is not a model that pliant makes" +
                       (meant.empty() ? "" : fmt::format("; did you mean \"{}\"?", meant)),
                   "models: " + joined(known, " "));
}

}  // namespace

ExitCode model(const MadeModelArguments& arguments) {
  if (arguments.name.empty() && arguments.output.empty()) return list_models();
  if (arguments.name.empty())
    throw InputError("", "", "which model to write is not said",
                     "`pliant model` lists those that pliant makes");
  const MadeModel& found = find_model(arguments.name);
  if (arguments.output.empty())
    throw InputError("", "", "-o FILE is needed to write a model", "FILE.step or FILE.iges");
  write_cad(arguments.output, found.make());
  fmt::print("{}\n", arguments.output);
  return ExitCode::ok;
}

}  // namespace pliant::cli
