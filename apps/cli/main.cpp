#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fmt/format.h>
#include <iostream>
#include <new>
#include <system_error>

#include "commands.h"
#include "core/parallel.h"
#include "core/version.h"
#include "formats/formats.h"
#include "scene/words.h"
#include "signals.h"

// Words in, exit code out: the only file that knows the command line's grammar.

namespace pliant::cli {
namespace {

const char* const exit_codes =
    "Exit codes: 0 ok, 1 internal error, 2 bad input, 3 input/output, 4 numerical trouble, 130 "
    "interrupted.";

/// What may be left out must not be given as nothing: "$folder" of a script may be unset.
const CLI::Validator not_empty(
    [](const std::string& word) { return word.empty() ? std::string("is empty") : std::string(); },
    "");

void add_common(CLI::App* command, CommonArguments& arguments) {
  command
      ->add_option("--threads", arguments.threads,
                   "threads to use; 0 = all. The result does not depend on it")
      ->check(CLI::Range(0, 1024));
  command->add_flag("-q,--quiet", arguments.quiet, "only warnings and results");
  command
      ->add_option("--allow-path", arguments.allowed_paths,
                   "a folder outside the scene's own that it may read models from; may be repeated")
      ->allow_extra_args(false)  // what follows its value is the scene
      ->check(not_empty);
}

void add_strict(CLI::App* command, bool& strict) {
  command->add_flag("--strict", strict,
                    "whatever is warned of in the input is an error (exit code 2)");
}

/// How a model file is taken: the same words where it is looked at and where it is dropped.
void add_model_options(CLI::App* command, ModelArguments& arguments) {
  command
      ->add_option(
          "--unit", arguments.unit,
          "unit of the model's numbers: m, cm, mm, in or ft (default: what a CAD file says, m for "
          "others)")
      ->check(CLI::IsMember({"file", "m", "cm", "mm", "in", "ft"}));
  command
      ->add_option("--up", arguments.up, "which axis of the model points up: y (default), z or x")
      ->check(CLI::IsMember({"y", "z", "x"}));
  command->add_option("--method", arguments.method,
                      "how it is computed: tets (default), groups, clusters, meshless, nurbs "
                      "(default of CAD files) or "
                      "rigid");
  command->add_option("--weld", arguments.weld, "points closer than this [m] become one")
      ->check(CLI::Range(0.0, 1e6));
  command
      ->add_option("--thickness", arguments.thickness,
                   "makes a solid of an open or flat surface [m]")
      ->check(CLI::Range(0.0, 1e6));
}

void add_run_options(CLI::App* command, RunArguments& arguments) {
  add_common(command, arguments);
  command
      ->add_option("-o,--output", arguments.output,
                   "folder for the results (default: pliant-out/NAME)")
      ->check(not_empty);
  command->add_option("--frames", arguments.frames, "how many frames to simulate")
      ->check(CLI::Range(0, 1'000'000));
  command->add_option("--substeps", arguments.substeps, "substeps per frame")
      ->check(CLI::Range(1, 100'000));
  command->add_flag("--resume", arguments.resume, "go on where a stopped or killed run ended");
  command->add_flag("--overwrite", arguments.overwrite,
                    "replace a run in the output folder, finished or not");
  command->add_flag("--hash", arguments.hash, "print the fingerprint of the final state");
  add_strict(command, arguments.strict);
  command->add_flag("--no-film", arguments.no_film, "simulate only: no film, no picture");
  command->add_flag("--draft", arguments.draft, "a small film, in a quarter of the time");
  command
      ->add_option("--preview", arguments.preview,
                   "simulate to this frame and make one picture of it, no film, no animation")
      ->check(CLI::Range(0, 1000000))
      ->excludes("--no-film");
}

void add_table_options(CLI::App* command, TableArguments& arguments, const char* ids) {
  add_common(command, arguments);
  command->add_option("ids", arguments.ids, ids);
  command->add_flag("--json", arguments.json, "machine-readable, stable keys");
  command->add_flag("--quick", arguments.quick, "small sizes, for a first look");
}

bool is_model(const std::string& word) {
  if (word.empty() || word[0] == '-') return false;
  if (is_readable(word)) return true;
  const std::string extension = std::filesystem::path(word).extension().string();
  return !extension.empty() && extension != ".json" && std::filesystem::exists(word);
}

bool is_scene(const std::string& word) {
  return !word.empty() && word[0] != '-' && std::filesystem::path(word).extension() == ".json";
}

/// `pliant bunny.obj` means `pliant drop bunny.obj`, `pliant scene.json` means `pliant run
/// scene.json`, `pliant help run` means `pliant run --help`.
void spell_out(std::vector<std::string>& words) {
  if (words.empty()) return;
  if (words[0] == "help") {
    words.erase(words.begin());
    words.resize(std::min<std::size_t>(words.size(), 1));
    words.push_back("--help");
  } else if (is_model(words[0])) {
    words.insert(words.begin(), "drop");
  } else if (is_scene(words[0])) {
    words.insert(words.begin(), "run");
  }
}

/// The grammar's own words for an unknown command speak of what follows it.
void refuse_unknown_command(const CLI::App& app, const std::vector<std::string>& words) {
  if (words.empty() || words[0].empty() || words[0][0] == '-') return;
  std::vector<std::string> known;
  for (const CLI::App* command : app.get_subcommands({})) known.push_back(command->get_name());
  if (std::find(known.begin(), known.end(), words[0]) != known.end()) return;
  const std::string meant = nearest_word(words[0], known);
  std::string list;
  for (const std::string& name : known) list += ' ' + name;
  throw InputError(words[0], "",
                   meant.empty() ? "is neither a command nor a file"
                                 : fmt::format("is not a command; did you mean \"{}\"?", meant),
                   "commands:" + list + "; `pliant --help` tells more");
}

/// What did not happen when a command meets bad input.
std::string undone_by(const CLI::App& app, const InspectArguments& inspected) {
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  const std::string command = chosen.empty() ? "" : chosen.front()->get_name();
  if (command == "drop" || command == "run") return "nothing was simulated";
  if (command == "convert" || command == "model") return "nothing was written";
  if (command == "inspect" && inspected.strict) return "--strict accepts none";
  if (command == "inspect")
    return inspected.picture.empty() ? "nothing was inspected" : "no picture was made";
  if (command == "check") return "";  // that is what it was asked for
  return "nothing was done";
}

/// `undone` is known as soon as the command is.
ExitCode parse_and_run(int count, char** words, std::string& undone) {
  CLI::App app("pliant: surfaces to soft bodies, without making a volume mesh", "pliant");
  app.footer(fmt::format(
      "`pliant MODEL` drops a model on a floor with all defaults, `pliant SCENE.json` runs a "
      "scene. `pliant COMMAND --help` tells more.\n{}",
      exit_codes));
  app.set_version_flag("--version", fmt::format("pliant {}", version()));
  app.require_subcommand(1);
  app.failure_message([](const CLI::App* failed, const CLI::Error& error) {
    return fmt::format("{}\n`{} --help` tells what is possible\n", error.what(),
                       failed->get_display_name());
  });

  DropArguments drop_arguments;
  CLI::App* drop_command =
      app.add_subcommand("drop", "drop a model on a floor and film it (also: pliant MODEL)");
  drop_command->add_option("model", drop_arguments.model, "surface, CAD model or tet mesh")
      ->required();
  drop_command->add_option("--material", drop_arguments.material,
                           "a preset: rubber, jelly, foam, ...");
  drop_command
      ->add_option("--cells", drop_arguments.cells,
                   "about how many cells (meshless: particles, nurbs: voxels) to fill it with")
      ->check(CLI::Range(1, 2'000'000));
  add_model_options(drop_command, drop_arguments);
  add_run_options(drop_command, drop_arguments);

  InspectArguments inspect_arguments;
  CLI::App* inspect_command = app.add_subcommand(
      "inspect", "what is wrong with a model, its volume, and what body it would become");
  inspect_command
      ->add_option("model", inspect_arguments.model, "surface, CAD model, tet mesh or points")
      ->required();
  add_model_options(inspect_command, inspect_arguments);
  inspect_command
      ->add_option(
          "--picture", inspect_arguments.picture,
          "write a picture (.png) with what is wrong marked in color; of CAD models: with the "
          "numbers of their faces")
      ->check(not_empty);
  inspect_command->add_flag("--json", inspect_arguments.json, "machine-readable, stable keys");
  add_strict(inspect_command, inspect_arguments.strict);
  add_common(inspect_command, inspect_arguments);

  ConvertArguments convert_arguments;
  CLI::App* convert_command = app.add_subcommand(
      "convert", "make files for other programs from a run, or a model from another");
  convert_command->add_option("input", convert_arguments.input, "folder of a run, or a model file")
      ->required();
  convert_command
      ->add_option("--to", convert_arguments.formats,
                   "glb, usda, pc2, mdd, obj, ply, stl, vtu, csv, step, iges; several with commas")
      ->delimiter(',')
      ->allow_extra_args(false);
  convert_command
      ->add_option("-o,--output", convert_arguments.output,
                   "folder for the files (default: RUN/convert); of a model: the file")
      ->check(not_empty);
  convert_command->add_option("--frames", convert_arguments.frames,
                              "FIRST, FIRST:LAST or FIRST:LAST:STEP (default: all)");
  convert_command->add_flag("--skin", convert_arguments.skin,
                            "the surface computed with instead of the model file's own");
  convert_command->add_flag("--resume", convert_arguments.resume,
                            "keep files that are there, go on with unfinished ones");
  add_common(convert_command, convert_arguments);

  RunArguments run_arguments;
  CLI::App* run_command = app.add_subcommand("run", "simulate a scene into a folder");
  run_command
      ->add_option("scene", run_arguments.scene,
                   "scene file, or name of a built-in scene; a model is dropped")
      ->required();
  add_run_options(run_command, run_arguments);

  CheckArguments check_arguments;
  CLI::App* check_command =
      app.add_subcommand("check", "tell every problem of a scene; nothing is simulated");
  check_command->add_option("scenes", check_arguments.scenes, "scene files or names")->required();
  add_strict(check_command, check_arguments.strict);
  add_common(check_command, check_arguments);

  CLI::App* scenes_command = app.add_subcommand("scenes", "list the built-in scenes");

  MadeModelArguments model_arguments;
  CLI::App* model_command =
      app.add_subcommand("model", "write a CAD model that pliant makes itself, or list them");
  model_command->add_option("name", model_arguments.name, "which one; left out: list them");
  model_command
      ->add_option("-o,--output", model_arguments.output, "the file to write: .step or .iges")
      ->check(not_empty);

  bool reference = false;
  CLI::App* schema_command = app.add_subcommand("schema", "print the JSON Schema of scene files");
  schema_command->add_flag("--reference", reference, "print the reference page instead (Markdown)");

  TableArguments papers_arguments;
  BenchArguments bench_arguments;
  CLI::App* papers_command =
      app.add_subcommand("papers", "re-run the papers' experiments: paper value, ours, verdict");
  add_table_options(papers_command, papers_arguments,
                    "experiments, or the first letters of some; none = all");
  CLI::App* bench_command = app.add_subcommand("bench", "the benchmark table");
  add_table_options(bench_command, bench_arguments,
                    "benchmarks, or the first letters of some; none = all");
  bench_command->add_option("--rows", bench_arguments.rows,
                            "only rows with one of these in their names, as in bar-10k/cells");
  bench_command->add_option(
      "--models", bench_arguments.models,
      "of \"contact\": drop these models, files or folders of them, instead of its piles");
  bench_command->add_flag("--markdown", bench_arguments.markdown, "tables for a Markdown page");

  std::vector<std::string> arguments(words + 1, words + count);
  if (arguments.empty()) {
    fmt::print(stderr, "{}", app.help());
    return ExitCode::bad_input;
  }
  spell_out(arguments);
  refuse_unknown_command(app, arguments);
  std::reverse(arguments.begin(), arguments.end());  // as CLI11 wants them
  try {
    app.parse(arguments);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? ExitCode::ok : ExitCode::bad_input;
  }

  const CommonArguments* common = nullptr;
  if (*drop_command) common = &drop_arguments;
  if (*run_command) common = &run_arguments;
  if (*inspect_command) common = &inspect_arguments;
  if (*check_command) common = &check_arguments;
  if (*convert_command) common = &convert_arguments;
  if (*papers_command) common = &papers_arguments;
  if (*bench_command) common = &bench_arguments;
  if (common != nullptr) set_threads(common->threads);
  undone = undone_by(app, inspect_arguments);

  if (*drop_command) return drop(drop_arguments);
  if (*run_command) return run(run_arguments);
  if (*check_command) return check(check_arguments);
  if (*inspect_command) return inspect(inspect_arguments);
  if (*convert_command) return convert(convert_arguments);
  if (*scenes_command) return scenes();
  if (*model_command) return model(model_arguments);
  if (*schema_command) return schema(reference);
  if (*papers_command) return papers(papers_arguments);
  return bench(bench_arguments);
}

ExitCode report_input_error(const InputError& error, const std::string& undone) {
  for (const Problem& problem : error.problems()) fmt::print(stderr, "{}\n", to_string(problem));
  const std::size_t count = error.problems().size();
  fmt::print(stderr, "{} problem{}{}{}.\n", count, count == 1 ? "" : "s",
             undone.empty() ? "" : "; ", undone);
  return ExitCode::bad_input;
}

/// What is said on standard output may not get there. A reader that has had enough, as `head`, is
/// fine.
ExitCode output_failed(int reason) {
  if (reason == EPIPE) return ExitCode::ok;
  fmt::print(stderr, "pliant: cannot write to standard output: {}\n", std::strerror(reason));
  return ExitCode::io;
}

/// What waits in the buffer is written when all is said, and may fail as well.
ExitCode after_output(ExitCode code) {
  const int before = errno;
  if (code != ExitCode::ok) return code;
  if (!std::cout.good()) return output_failed(before);  // help goes that way
  return std::fflush(stdout) == 0 ? code : output_failed(errno);
}

ExitCode guarded(int count, char** words) {
  std::string undone = "nothing was done";
  try {
    return parse_and_run(count, words, undone);
  } catch (const InputError& error) {
    return report_input_error(error, undone);
  } catch (const IoError& error) {
    fmt::print(stderr, "pliant: {}\n", error.what());
    return ExitCode::io;
  } catch (const NumericalError& error) {
    fmt::print(stderr, "pliant: {}\n", error.what());
    return ExitCode::numerical;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "pliant: out of memory; fewer cells or a smaller model may help\n");
    return ExitCode::internal;
  } catch (const std::filesystem::filesystem_error& error) {
    fmt::print(stderr, "pliant: {}\n", error.what());
    return ExitCode::io;
  } catch (const std::system_error& error) {  // of fmt::print
    return output_failed(error.code().value());
  } catch (const std::exception& error) {
    fmt::print(stderr, "pliant: internal error: {}\n", error.what());
    return ExitCode::internal;
  }
}

}  // namespace
}  // namespace pliant::cli

int main(int count, char** words) {
  pliant::cli::outlive_broken_pipes();
  return int(pliant::cli::after_output(pliant::cli::guarded(count, words)));
}
