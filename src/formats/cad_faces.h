#pragma once

#include <Geom_BSplineSurface.hxx>
#include <TopoDS_Face.hxx>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "math/types.h"

// What cad.cpp and the writers share. Needs OpenCASCADE; nobody else includes it.
namespace pliant {

/// A face as OpenCASCADE holds it: in mm, always, since its tolerances and writers want it so.
struct FileFace {
  int number = 0;  // in the file, from 1
  std::string name;
  std::vector<std::string> within;  // names of what it is part of, innermost first
  std::optional<Vec3> color;        // sRGB
  TopoDS_Face face;  // on a B-spline or Bezier surface, or on what could not be converted
};

struct FileFaces {
  std::vector<FileFace> faces;  // all of the file, in its order
  double unit = 0.001;          // [m] of the file
  std::string unit_name;
  std::vector<std::string> warnings;  // sentences that do not name the file
};

/// Throws InputError. Hold `cad_lock` meanwhile.
FileFaces load_faces(const std::filesystem::path& path);

/// A copy in its place, periodic where the face's is. Null or a Standard_Failure when there is
/// none.
Handle(Geom_BSplineSurface) surface_of(const TopoDS_Face& face);

/// `work` on a file, within bounds of time and memory (isolated.h). Throws InputError, also where
/// it crashes or does not keep within them: "cannot be read: ..." with the word `what`.
std::vector<std::byte> isolated_cad(const std::filesystem::path& path, const char* what,
                                    const std::function<std::vector<std::byte>()>& work);

/// OpenCASCADE keeps settings in globals, so one thread at a time uses it. Quiets and sets it up.
std::unique_lock<std::mutex> cad_lock();

}  // namespace pliant
