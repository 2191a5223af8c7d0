#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "math/types.h"

namespace pliant {

/// Numbers at the points of a surface.
struct PointField {
  std::string name;
  int components = 1;             // 1, or 3 for vectors
  std::span<const float> values;  // components times points
};

/// A surface with fields for ParaView, VTK and others: XML with raw numbers behind it. The file
/// appears whole or not at all. Throws IoError.
void write_vtu(const std::filesystem::path& path, std::span<const Eigen::Vector3f> points,
               std::span<const Triangle> triangles, std::span<const PointField> fields = {});

/// One file of a series.
struct PvdEntry {
  double time = 0;   // [s]
  int part = 0;      // of several bodies
  std::string file;  // relative to the .pvd
};
/// The list that ParaView opens to see all files as one film.
void write_pvd(const std::filesystem::path& path, std::span<const PvdEntry> entries);

}  // namespace pliant
