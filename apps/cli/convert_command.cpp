#include <filesystem>
#include <fmt/format.h>

#include "commands.h"
#include "formats/cad.h"
#include "formats/formats.h"
#include "formats/obj.h"
#include "formats/ply.h"
#include "formats/stl.h"
#include "formats/text.h"
#include "play/convert.h"
#include "signals.h"
#include "terminal.h"

namespace pliant::cli {
namespace {

namespace fs = std::filesystem;

/// "3", "0:100" or "0:100:5"; the last frame belongs to it.
void parse_frames(const std::string& text, ConvertOptions& options) {
  if (text.empty()) return;
  int* const parts[] = {&options.first, &options.last, &options.step};
  std::size_t at = 0;
  int count = 0;
  while (at <= text.size() && count < 3) {
    const std::size_t colon = std::min(text.find(':', at), text.size());
    const std::string word = text.substr(at, colon - at);
    const bool digits = !word.empty() && word.size() < 9 &&
                        word.find_first_not_of("0123456789") == std::string::npos;
    if (!digits) break;
    *parts[count++] = std::stoi(word);
    at = colon + 1;
  }
  if (count == 0 || at <= text.size() || options.step < 1)
    throw InputError("", "",
                     fmt::format("--frames is \"{}\"; FIRST, FIRST:LAST or FIRST:LAST:STEP "
                                 "is meant",
                                 text));
  if (count == 1) options.last = options.first;
}

/// One model file becomes another.
ExitCode convert_model(const ConvertArguments& arguments) {
  if (arguments.output.empty())
    throw InputError("", "", "-o FILE is needed to convert a model",
                     "FILE.obj, FILE.ply or FILE.stl; of a CAD model FILE.step or FILE.iges, too");
  const fs::path output = arguments.output;
  const std::string extension = lower_case(output.extension().string());
  const bool to_cad = is_cad_file(output);
  if (extension != ".obj" && extension != ".ply" && extension != ".stl" && !to_cad)
    throw InputError(output.string(), "", "has no extension that a model can be written with",
                     ".obj, .ply and .stl can, and .step and .iges for CAD models");
  const Model model = read_model(arguments.input);
  if (to_cad && model.patches.empty())
    throw InputError(arguments.input, "", "is no CAD model, so no CAD file can be made of it",
                     ".obj, .ply and .stl can");
  for (const std::string& warning : model.warnings) fmt::print(stderr, "warning: {}\n", warning);
  std::vector<Eigen::Vector3f> points;
  for (const Vec3& p : model.surface.points) points.push_back(p.cast<float>());
  const Faces faces = model.tets ? faces_of(model.surface) : model.faces;
  if (to_cad) write_cad(output, model.patches, arguments.input);
  else if (extension == ".obj")
    write_obj(output, std::span<const Vec3>(model.surface.points), faces);
  else if (extension == ".ply")
    write_ply(output, std::span<const Vec3>(model.surface.points), model.surface.triangles);
  else write_stl(output, points, model.surface.triangles);
  fmt::print("{}\n", output.string());
  return ExitCode::ok;
}

}  // namespace

ExitCode convert(const ConvertArguments& arguments) {
  if (!fs::exists(arguments.input)) throw InputError(arguments.input, "", "does not exist");
  if (!fs::is_directory(arguments.input)) return convert_model(arguments);
  if (arguments.formats.empty()) {
    std::string known;
    for (const std::string& name : convert_formats()) known += ' ' + name;
    throw InputError("", "", "--to is needed: which files to make", "there are" + known);
  }
  ConvertOptions options;
  options.formats = arguments.formats;
  options.folder =
      arguments.output.empty() ? fs::path(arguments.input) / "convert" : fs::path(arguments.output);
  options.original = !arguments.skin;
  options.resume = arguments.resume;
  parse_frames(arguments.frames, options);
  Terminal terminal(arguments.quiet);
  catch_signals();
  const ConvertResult result = convert_run(arguments.input, options, terminal);
  if (!arguments.quiet)
    for (const fs::path& file : result.files) fmt::print("{}\n", file.string());
  if (result.finished) return ExitCode::ok;
  terminal.note("stopped; --resume goes on");
  return signal_caught() == 0 ? ExitCode::internal : ExitCode(128 + signal_caught());
}

}  // namespace pliant::cli
