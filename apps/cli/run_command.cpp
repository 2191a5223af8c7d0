#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "core/file_name.h"
#include "find_scene.h"
#include "formats/cad.h"
#include "formats/formats.h"
#include "json_output.h"
#include "play/run.h"
#include "scene/build.h"
#include "scene/read.h"
#include "signals.h"
#include "terminal.h"

namespace pliant::cli {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> allowed(const CommonArguments& arguments) {
  return {arguments.allowed_paths.begin(), arguments.allowed_paths.end()};
}

/// The folder of "scenes/drop/scene.json" names the scene better than the file does.
std::string name_of(const fs::path& scene) {
  const std::string stem = scene.stem().string();
  const std::string folder =
      fs::absolute(scene).lexically_normal().parent_path().filename().string();
  return stem == "scene" && !folder.empty() ? folder : stem;
}

void apply(const RunArguments& arguments, SceneDescription& scene) {
  if (arguments.frames) scene.frames = *arguments.frames;
  if (arguments.substeps) scene.substeps = *arguments.substeps;
  if (arguments.no_film) scene.outputs.film = scene.outputs.picture = false;
  if (arguments.draft) {
    scene.outputs.width = 640;
    scene.outputs.height = 360;
  }
  if (arguments.preview) {
    scene.frames = *arguments.preview;
    scene.outputs.film = scene.outputs.glb = scene.outputs.ply = false;
    scene.outputs.picture = true;
  }
}

RunFolder::IfTaken if_taken(const RunArguments& arguments) {
  if (arguments.resume && arguments.overwrite)
    throw InputError("", "", "--resume and --overwrite exclude each other");
  if (arguments.resume) return RunFolder::IfTaken::resume;
  if (arguments.overwrite) return RunFolder::IfTaken::overwrite;
  return RunFolder::IfTaken::refuse;
}

/// Millions of triangles take a while to be read, repaired and filled.
void tell_of_large_files(const SceneDescription& scene, const SceneSource& source,
                         Terminal& terminal) {
  constexpr double large = 10e6;  // [bytes]
  for (const BodyDescription& body : scene.bodies) {
    if (!body.file) continue;
    std::error_code unknown;
    const double size = double(fs::file_size(source.folder / *body.file, unknown));
    if (!unknown && size > large)
      terminal.note(fmt::format("reading and filling {}, {:.0f} MB", *body.file, size / 1e6));
  }
}

ExitCode simulate(SceneDescription description, const SceneSource& source, const std::string& name,
                  const RunArguments& arguments) {
  Terminal terminal(arguments.quiet);
  apply(arguments, description);
  RunOptions options;
  options.folder = arguments.output.empty() ? fs::path("pliant-out") / file_name_of(name)
                                            : fs::path(arguments.output);
  options.if_taken = if_taken(arguments);
  options.scene_name = name;
  RunFolder::check(options.folder, options.if_taken);  // large models take a while to be built

  tell_of_large_files(description, source, terminal);
  const auto tell_try = [&](int nodes) {
    terminal.note(fmt::format("static: solving with about {} nodes a body", nodes));
  };
  BuiltScene scene =
      build_fine_enough(description, source, arguments.strict, tell_try, options.fineness);
  for (const std::string& note : scene.notes) terminal.note(note);
  if (!scene.stages.empty()) terminal.note("bodies made in " + in_words(scene.stages));
  for (const std::string& warning : scene.warnings) terminal.warning(warning);
  if (!options.fineness.why.empty()) terminal.note(options.fineness.why);
  catch_signals();
  const RunResult result = run(scene, options, terminal);

  if (!arguments.quiet)
    for (const fs::path& file : result.files) fmt::print("{}\n", file.string());
  if (arguments.hash) fmt::print("{}\n", hex(result.hash));
  if (signal_caught() == 0) {
    if (result.unbalanced > 0) return ExitCode::numerical;
    return result.film_failed ? ExitCode::io : ExitCode::ok;
  }
  terminal.note(result.finished
                    ? "stopped before the film was done; --resume makes it"
                    : fmt::format("stopped after frame {}; --resume goes on", result.frames));
  return ExitCode(128 + signal_caught());
}

}  // namespace

ExitCode run(const RunArguments& arguments) {
  if (is_readable(arguments.scene)) {
    DropArguments model;
    static_cast<RunArguments&>(model) = arguments;
    model.model = arguments.scene;
    return drop(model);
  }
  const fs::path file = find_scene(arguments.scene);
  return simulate(read_scene(file, allowed(arguments)), source_of(file, allowed(arguments)),
                  name_of(file), arguments);
}

ExitCode drop(const DropArguments& arguments) {
  const fs::path model = arguments.model;
  if (!fs::exists(model)) throw InputError(model.string(), "", "does not exist");
  // Written as a scene and read back, so that the words of the command line are checked like those
  // of a file.
  const SceneSource source = source_of_model(model);
  nlohmann::json body = {
      {"file", source.model_word()}, {"unit", arguments.unit}, {"up", arguments.up}};
  if (!arguments.material.empty()) body["material"] = arguments.material;
  if (arguments.weld > 0) body["weld"] = arguments.weld;
  if (arguments.thickness > 0) body["thickness"] = arguments.thickness;
  if (arguments.cells) {
    const std::string method = !arguments.method.empty() ? arguments.method
                               : is_cad_file(model)      ? "nurbs"
                                                         : "tets";
    const char* const field = method == "meshless" ? "particles"
                              : method == "nurbs"  ? "voxels"
                                                   : "cells";
    body["method"][method][field] = *arguments.cells;
  } else if (!arguments.method.empty()) {
    body["method"] = arguments.method;
  }
  const nlohmann::json scene = {{"bodies", {body}}};
  return simulate(read_scene_text(json_text(scene), source), source, model.stem().string(),
                  arguments);
}

}  // namespace pliant::cli
