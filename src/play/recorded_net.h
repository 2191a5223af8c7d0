#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "body/control_net.h"

namespace pliant {

/// The CAD faces of a recorded body, so that every frame is again a CAD model.
struct RecordedNet {
  std::filesystem::path file;     // which the faces and their trims are from; empty = made here
  std::uint64_t fingerprint = 0;  // of that file's bytes when they were recorded
  ControlNet faces;               // their control points are the frame's: see moved()
  std::vector<Vec3> points;       // [m] as of the frame read last

  bool empty() const { return faces.patches.empty(); }
  /// The faces in that frame.
  std::vector<NurbsPatch> moved() const { return faces.moved(points); }

  /// All but `points`.
  std::vector<std::byte> saved() const;
  /// Throws IoError when that is damaged.
  static RecordedNet loaded(std::span<const std::byte> bytes);
};

/// The CAD file that holds the trims of a body's faces; empty when they have none. Throws
/// InputError when it is gone or not the one that was simulated.
std::filesystem::path source_of(const RecordedNet& net, const std::string& body);

/// How many of a body's nodes, from the first, its faces need.
std::size_t used_nodes(const ControlNet& net);
/// What there is to record of a body with control points, made from `file` or here.
RecordedNet net_to_record(const ControlNet& net, const std::filesystem::path& file);

}  // namespace pliant
