#pragma once

#include <array>
#include <filesystem>

#include "body/body.h"
#include "play/record_bytes.h"

namespace pliant {

/// A recorded body inside, in floats (see body/bulk.h).
struct RecordedBulk {
  enum class Kind : std::int32_t {
    none,     // was not asked for, or there is nothing inside
    stays,    // points keep their numbers
    changes,  // points come and go
  };
  Kind kind = Kind::none;
  std::vector<Tet> tets;  // of points; empty: a cloud of points
  // As of the frame read last.
  std::vector<Eigen::Vector3f> points;       // [m]
  std::vector<Eigen::Vector3f> velocity;     // [m/s]
  std::vector<float> J;                      // per tet, or per point of a cloud; this and:
  std::vector<std::array<float, 6>> stress;  // [Pa] Cauchy: xx, yy, zz, xy, yz, xz
  std::vector<float> plastic_strain;         // empty: the method knows none

  bool empty() const { return kind == Kind::none; }

  /// From the header of a recording, and from each frame. Throws IoError when damaged.
  static RecordedBulk of_header(Cursor& cursor);
  void take_frame(Cursor& cursor);
};

/// What these read. Without `wanted` there is none.
void put_bulk_header(std::vector<std::byte>& buffer, const Body& body, bool wanted);
void put_bulk_frame(std::vector<std::byte>& buffer, const Body& body);

/// [bytes] per frame.
std::uint64_t bulk_bytes(const Body& body);

/// The file of one frame for VTK: displacement from `at_first` (where points keep their numbers),
/// velocity, J, stress and what follows from it. Throws IoError.
void write_bulk(const std::filesystem::path& path, const RecordedBulk& bulk,
                std::span<const Eigen::Vector3f> at_first);

}  // namespace pliant
