#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/stage_clock.h"
#include "geometry/intake/intake.h"
#include "geometry/query/self_intersections.h"
#include "play/inspect_cad.h"

namespace pliant {

struct InspectSettings {
  std::filesystem::path model;
  std::string unit = "file";  // of its numbers; as in scenes
  std::string up = "y";       // which of its axes points up
  std::string method = "";    // empty = the default
  double weld = 0;            // [m]
  double thickness = 0;       // [m]
};

/// Beyond these sizes [m] squares and cubes of lengths leave the range of numbers.
constexpr double smallest_measured = 1e-90, largest_measured = 1e90;

/// One kind of thing that may be wrong with a model.
struct Finding {
  std::string id;     // "holes": stable, for programs
  std::string label;  // "holes"
  long long count = 0;
  std::string remark;         // what it means or what was done; may be empty
  Vec3 color = Vec3::Zero();  // of its marks in the picture, sRGB; zero = it is not marked
};

/// What there is to say about a model file before anything is simulated.
struct Inspection {
  std::string kind;  // "CAD model", "surface", "tets" or "points"
  int vertices = 0, faces = 0, triangles = 0, tets = 0, groups = 0;
  bool has_textures = false;
  Box box;                 // [m]
  std::string unit_guess;  // a sentence
  double area = 0;         // [m^2]
  double volume = 0;       // [m^3] by the divergence theorem
  double counted = 0;      // [m^3] by counting points whose winding number is above one half
  bool measured = false;   // there is a surface, and the above are known
  bool closed = false;
  int parts = 0, cavities = 0;
  std::vector<Finding> findings;  // all kinds, also those not found

  bool makes_a_body = false;
  std::string refusal;  // why not
  std::string method;   // that would be used
  std::string reason;   // for it
  int nodes = 0;
  int drawn_triangles = 0, contact_triangles = 0;  // of its skins
  double contact_distance = 0;                     // [m] between them
  int substeps = 0;                                // per frame of 1/60 s
  std::optional<double> error_share;               // of the work under smooth loads (error_share.h)
  std::vector<StageClock::Stage> stages;           // of building
  std::vector<std::string> notes;  // resolution, material, substeps, with their reasons
  std::vector<std::string> warnings;

  std::optional<CadInspection> cad;               // of CAD models
  double reading = 0, looking = 0, building = 0;  // [s] what it took

  // For the picture.
  TriangleMesh given;  // placed, in metres; of tets their boundary, of points what is drawn around
  std::optional<Intake> intake;
  SelfIntersections overlaps;  // triangles of the intake's mesh

  const Finding& finding(const std::string& id) const;
  /// What `--strict` does not accept: why there is no body, warnings, overlapping triangles.
  std::vector<std::string> complaints() const;
};

/// Reads a model, looks for everything that could be wrong with it, and builds the body that
/// `pliant MODEL` would drop. Throws InputError only when the file cannot be read.
Inspection inspect(const InspectSettings& settings);

/// The model from two sides, what is wrong with it marked in color.
void write_inspection_picture(const std::filesystem::path& path, const Inspection& found,
                              const std::string& title);

}  // namespace pliant
