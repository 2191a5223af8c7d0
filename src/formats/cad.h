#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "geometry/nurbs/patch.h"

namespace pliant {

/// The faces of an IGES or STEP file.
struct CadModel {
  std::vector<NurbsPatch> patches;          // in metres, whatever the file's unit is
  std::vector<std::optional<Vec3>> colors;  // of the patches, sRGB, where the file has some
  int faces = 0;                      // of the file; patches are fewer when some had to be left out
  double unit = 0.001;                // [m] of the file
  std::string unit_name;              // "mm", "m", "in", ... as far as we know it
  std::vector<std::string> warnings;  // sentences that name the file and the face
};

/// By its extension: .iges, .igs, .step, .stp, in any case.
bool is_cad_file(const std::filesystem::path& path);

/// False in a build without OpenCASCADE, where reading and writing throw InputError.
bool has_cad();

/// Each face becomes one patch: a clamped B-spline surface, converted where it is a plane, a
/// cylinder, ... Triangles in (u, v) follow the trims to 1e-3 of the model's diagonal. Domains that
/// run round a closed surface are cut at its seam. Faces are numbered from 1 in the order of the
/// file; one that cannot be used is left out with a warning. Throws InputError for everything that
/// is wrong with the file, for more than 512 MB and for more than 20000 faces.
CadModel read_cad(const std::filesystem::path& path);

/// Writes CAD files of one model in as many states as one likes.
class CadWriter {
 public:
  /// `source`: the file of which read_cad() made the patches, for their trims; empty: there is
  /// none. Throws as read_cad() does.
  explicit CadWriter(const std::filesystem::path& source = {});
  ~CadWriter();

  /// IGES or STEP by the extension, in millimetres with all digits, faces side by side. A patch
  /// that came from a face of the source gets the trims of that face: its poles may have moved and
  /// its knots may be more, its parameters must be the same. Others are written whole. Names and
  /// colors are kept. What faces are within becomes products (STEP) or groups (IGES) of that name:
  /// as the source says, else as the patch does. IGES knows no sense of a face, so one whose
  /// outside is where -du x dv points is written with u the other way round. Throws InputError when
  /// a patch is no surface or the source has no such face, IoError when the file cannot be written.
  void write(const std::filesystem::path& path, const std::vector<NurbsPatch>& patches) const;

 private:
  struct Source;
  std::unique_ptr<Source> source_;
};

/// One file.
inline void write_cad(const std::filesystem::path& path, const std::vector<NurbsPatch>& patches,
                      const std::filesystem::path& source = {}) {
  CadWriter(source).write(path, patches);
}

}  // namespace pliant
