#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "inspect_cad.h"
#include "json_output.h"
#include "play/inspect.h"

namespace pliant::cli {
namespace {

void line(const char* name, const std::string& value) {
  if (!value.empty()) fmt::print("{:<10} {}\n", name, value);
}

std::string counted(int count, const char* one, const char* more) {
  return fmt::format("{} {}", count, count == 1 ? one : more);
}

std::string counts_of_cad(const CadInspection& cad) {
  int trimmed = 0, control_points = 0;
  for (const CadFace& face : cad.faces) {
    trimmed += face.is_trimmed;
    control_points += face.poles_u * face.poles_v;
  }
  return fmt::format("CAD model: {}, {} of them trimmed, {} control points, {}",
                     counted(int(cad.faces.size()), "face", "faces"), trimmed, control_points,
                     cad.pieces == 1 ? "in one piece" : fmt::format("in {} pieces", cad.pieces));
}

std::string counts(const Inspection& found) {
  if (found.cad) return counts_of_cad(*found.cad);
  std::string text =
      fmt::format("{}: {}", found.kind, counted(found.vertices, "vertex", "vertices"));
  if (found.tets > 0) text += ", " + counted(found.tets, "tet", "tets");
  if (found.kind == "surface")
    text += fmt::format(", {} in {}", counted(found.faces, "face", "faces"),
                        counted(found.triangles, "triangle", "triangles"));
  if (found.groups > 0) text += ", " + counted(found.groups, "group", "groups");
  if (found.has_textures) text += ", texture coordinates";
  return text;
}

std::string volumes(const Inspection& found) {
  if (found.kind == "tets") return fmt::format("{:.4g} m^3", found.volume);
  const double larger = std::max(std::abs(found.volume), found.counted);
  const double apart = larger > 0 ? std::abs(found.volume - found.counted) / larger : 0;
  return fmt::format(
      "{:.4g} m^3 by the surface, {:.4g} m^3 by counting inside points: {}", found.volume,
      found.counted,
      apart < 0.02 ? "they agree"
      : found.closed
          ? "they differ, since parts overlap or faces cancel; the second is what is filled"
          : "they differ, since the surface is open; the second is what is filled");
}

void print(const InspectArguments& arguments, const Inspection& found) {
  const Vec3 size = found.box.extent();
  fmt::print("{}\n", arguments.model);
  line("holds", counts(found));
  if (found.cad) {
    const Vec3 own = size / found.cad->unit_length;
    line("unit", fmt::format("{} ({})", found.cad->unit, found.cad->said_by));
    line("size", fmt::format("{:.4g} x {:.4g} x {:.4g} {} = {:.4g} x {:.4g} x {:.4g} m", own.x(),
                             own.y(), own.z(), found.cad->unit, size.x(), size.y(), size.z()));
  } else {
    line("size", fmt::format("{:.4g} x {:.4g} x {:.4g} m: {}", size.x(), size.y(), size.z(),
                             found.unit_guess));
  }
  if (found.measured) {
    line("surface",
         fmt::format("{}, {:.4g} m^2{}", found.closed ? "closed" : "open", found.area,
                     found.kind == "points" ? ", drawn around the points as told below" : ""));
    line("volume", volumes(found));
    bool any = false;
    for (const Finding& finding : found.findings) {
      if (finding.count == 0) continue;
      fmt::print("{:<10} {:>8} {}{}{}\n", any ? "" : "found", finding.count, finding.label,
                 finding.remark.empty() ? "" : ": ", finding.remark);
      any = true;
    }
    if (!any) line("found", "nothing wrong");
    if (found.cad) print_cad(*found.cad);
  } else if (found.kind == "tets") {
    line("volume", volumes(found));
  }
  if (found.makes_a_body) {
    line("method", fmt::format("{} ({})", found.method, found.reason));
    for (const std::string& note : found.notes) line("", note);
    if (found.error_share)
      line("", fmt::format("{:.1f} % of the work of six smooth loads on the free body is error "
                           "energy, which only keeps control points with the solid",
                           100 * *found.error_share));
  } else {
    line("method", "none: it " + found.refusal);
  }
  for (const std::string& warning : found.warnings) line("warning", warning);
  if (found.cad)
    line("time", fmt::format("{:.2f} s to read, {:.2f} s to look, {:.2f} s to build the body",
                             found.reading, found.looking, found.building));
  if (!found.stages.empty()) line("", "of building " + in_words(found.stages));
}

nlohmann::json json_of(const InspectArguments& arguments, const Inspection& found) {
  const Vec3 size = found.box.extent();
  nlohmann::json findings = nlohmann::json::object();
  for (const Finding& finding : found.findings)
    findings[finding.id] = {{"count", finding.count}, {"remark", finding.remark}};
  nlohmann::json all = {
      {"file", arguments.model},
      {"kind", found.kind},
      {"vertices", found.vertices},
      {"faces", found.faces},
      {"triangles", found.triangles},
      {"tets", found.tets},
      {"groups", found.groups},
      {"textured", found.has_textures},
      {"size_m", {size.x(), size.y(), size.z()}},
      {"unit", arguments.unit},
      {"unit_guess", found.unit_guess},
      {"closed", found.closed},
      {"parts", found.parts},
      {"cavities", found.cavities},
      {"area_m2", found.area},
      {"volume_m3", found.volume},
      {"counted_volume_m3", found.counted},
      {"findings", findings},
      {"makes_a_body", found.makes_a_body},
      {"refusal", found.refusal},
      {"method", found.method},
      {"reason", found.reason},
      {"nodes", found.nodes},
      {"drawn_triangles", found.drawn_triangles},
      {"contact_triangles", found.contact_triangles},
      {"contact_distance_m", found.contact_distance},
      {"substeps", found.substeps},
      {"notes", found.notes},
      {"warnings", found.warnings},
      {"seconds", {{"read", found.reading}, {"look", found.looking}, {"build", found.building}}}};
  if (found.error_share) all["error_energy_share"] = *found.error_share;
  for (const StageClock::Stage& stage : found.stages)
    all["seconds"]["stages"][stage.name] = stage.seconds;
  if (found.cad) all["cad"] = cli::json_of(*found.cad);
  return all;
}

}  // namespace

ExitCode inspect(const InspectArguments& arguments) {
  InspectSettings settings;
  settings.model = arguments.model;
  settings.unit = arguments.unit;
  settings.up = arguments.up;
  settings.method = arguments.method;
  settings.weld = arguments.weld;
  settings.thickness = arguments.thickness;
  const std::filesystem::path picture = arguments.picture;
  if (!picture.empty() && picture.extension() != ".png")
    throw InputError(arguments.picture, "", "is no name for a picture", "NAME.png is meant");
  const Inspection found = pliant::inspect(settings);
  if (arguments.json) print_json(json_of(arguments, found));
  else print(arguments, found);
  if (!arguments.picture.empty()) {
    if (found.given.triangles.empty())
      throw InputError(arguments.model, "", "has no surface to make a picture of");
    write_inspection_picture(arguments.picture, found, settings.model.filename().string());
    if (!arguments.json) line("picture", arguments.picture);
  }
  if (!arguments.strict) return ExitCode::ok;
  std::vector<Problem> problems;
  for (const std::string& complaint : found.complaints())
    problems.push_back({arguments.model, "", complaint, ""});
  if (!problems.empty()) throw InputError(std::move(problems));
  return ExitCode::ok;
}

}  // namespace pliant::cli
