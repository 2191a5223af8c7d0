#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/files.h"
#include "formats/faces.h"
#include "play/recorded_net.h"
#include "play/traced_faces.h"
#include "scene/paint.h"
#include "world/world.h"

namespace pliant {

/// One moving surface as recorded.
struct RecordedBody {
  std::string name;
  Vec3 color = Vec3::Zero();
  std::vector<Triangle> triangles;         // as of the frame read last
  std::vector<Eigen::Vector3f> points;     // [m]
  std::vector<float> values;               // the colored field, or empty
  std::vector<std::vector<float>> fields;  // those asked for besides; empty where there is none
  int topology = 0;                        // grows when `triangles` change
  Original original;                       // the model file's surface; empty = there is none
  Paint paint;                             // colors of its first triangles
  RecordedNet net;                         // its CAD faces; empty = it has none
  RecordedOrigins origins;                 // of surfaces that change their triangles; else empty

  /// Whether the original still hangs on the points: the skin has its first triangles.
  bool has_original() const { return !original.empty() && topology <= 1; }
};

std::vector<std::string> names_of(const std::vector<RecordedBody>& bodies);

/// What happened, frame by frame, in one file that only grows: pictures, films and animations are
/// made from it afterwards, so they can be made again in another way. Frame 0 is the scene before
/// the first step.
class RecordingWriter {
 public:
  /// Goes on after `length` bytes; 0 starts anew. `field` is what bodies are colored by, or empty;
  /// `fields` are recorded besides. `originals`, `cad_files` (of the faces of bodies with control
  /// points), `paints`: one per body, or none. With `contact_surface` bodies are recorded as
  /// contact touches them; then there are no originals.
  RecordingWriter(const std::filesystem::path& path, std::size_t length, const World& world,
                  std::string field, std::vector<std::string> fields = {},
                  std::span<const Original> originals = {},
                  std::span<const std::filesystem::path> cad_files = {},
                  bool contact_surface = false, std::span<const Paint> paints = {});

  void add(const World& world);
  void flush() { file_.flush(); }
  std::size_t length() const { return file_.length(); }

 private:
  std::string field_;
  std::vector<std::string> fields_;
  bool contact_surface_;
  GrowingFile file_;
  std::vector<int> revisions_;  // of each body's skin when its triangles were last written
  bool is_traced_;              // some surfaces change their triangles
  std::vector<std::byte> buffer_;
  std::vector<double> values_;
};

/// Reads frames in order; going back starts again from the first. Holds one frame, however long the
/// recording is.
class RecordingReader {
 public:
  /// Throws IoError when the file is missing, foreign or damaged.
  explicit RecordingReader(const std::filesystem::path& path);
  ~RecordingReader();

  int frames() const { return int(starts_.size()); }
  const std::string& field() const { return field_; }
  const std::vector<std::string>& fields() const { return fields_; }  // besides that one

  /// All bodies in that frame.
  const std::vector<RecordedBody>& frame(int index);
  double time() const { return time_; }  // of the frame read last [s]
  double time_at(int index) const;       // of any frame [s]
  /// Of what is recorded of a frame, and of the bodies' names and originals.
  std::uint64_t fingerprint(int index) const;

 private:
  class File;
  void read_next();

  std::unique_ptr<File> file_;
  std::vector<std::byte> record_;  // the one read last
  std::uint64_t header_ = 0;       // its fingerprint
  bool is_traced_ = false;         // frames may tell origins
  std::string field_;
  std::vector<std::string> fields_;
  std::vector<std::uint64_t> starts_;  // of each complete frame
  std::vector<RecordedBody> bodies_;
  double time_ = 0;
  int next_ = 0;
};

}  // namespace pliant
