#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "math/types.h"

namespace pliant {

/// Numbers at points or cells.
struct VtuField {
  std::string name;
  int components = 1;  // 1, 3 for vectors, 6 for symmetric tensors: xx, yy, zz, xy, yz, xz
  std::span<const float> values;  // components times points or cells
};

/// A surface with fields for ParaView, VTK and others: XML with raw numbers behind it. The file
/// appears whole or not at all. Throws IoError.
void write_vtu(const std::filesystem::path& path, std::span<const Eigen::Vector3f> points,
               std::span<const Triangle> triangles, std::span<const VtuField> fields = {});
/// Tets with fields at their points and in them.
void write_vtu_tets(const std::filesystem::path& path, std::span<const Eigen::Vector3f> points,
                    std::span<const Tet> tets, std::span<const VtuField> of_points,
                    std::span<const VtuField> of_tets);
/// A cloud of points with fields.
void write_vtu_cloud(const std::filesystem::path& path, std::span<const Eigen::Vector3f> points,
                     std::span<const VtuField> fields);

/// One file of a series.
struct PvdEntry {
  double time = 0;   // [s]
  int part = 0;      // of several bodies
  std::string file;  // relative to the .pvd
};
/// The list that ParaView opens to see all files as one film.
void write_pvd(const std::filesystem::path& path, std::span<const PvdEntry> entries);

}  // namespace pliant
