#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "formats/problems.h"
#include "geometry/mesh/tet_mesh.h"
#include "geometry/mesh/triangle_mesh.h"

namespace pliant {

/// Tets, or the triangles of a file that has no tets.
using Solid = std::variant<TetMesh, TriangleMesh>;

/// Points and cells as the reader of a volume file finds them. Everything that must hold for tets
/// of any format is checked here: finite points, corners that exist, a volume, orientation.
/// Problems are collected and thrown by finish().
class CellCollector {
 public:
  /// `first_point` is the number the file gives its first point.
  CellCollector(const std::string& file, std::int64_t first_point,
                std::vector<std::string>* warnings)
      : file_(file), first_point_(first_point), warnings_(warnings), problems_(file) {}

  void reserve_points(std::int64_t more) { points_.reserve(points_.size() + std::size_t(more)); }
  void add_point(const Vec3& point, std::int64_t number, const Place& place);
  /// All points at once, known to be finite.
  void take_points(std::vector<Vec3> points) { points_ = std::move(points); }
  /// Corners that come later count from the next point.
  void begin_piece() { piece_ = std::int64_t(points_.size()); }
  std::int64_t points() const { return std::int64_t(points_.size()); }

  /// `number` is what the file calls the cell; it appears in messages.
  void add_tet(const std::array<std::int64_t, 4>& corners, std::int64_t number, const Place& place);
  void add_triangle(const std::array<std::int64_t, 3>& corners, std::int64_t number,
                    const Place& place);
  /// A cell of a kind that we do not read: `count` of them start here.
  void skip(const Place& place, std::int64_t count = 1);

  Problems& problems() { return problems_; }

  /// Tets inside out have been turned, triangles with fewer than three different corners left out,
  /// other cells skipped, and tets that overlap at a face are kept: one counted warning for each.
  /// Throws InputError for the problems collected, and when there are neither tets nor triangles.
  Solid finish();

 private:
  bool find(std::int64_t corner, const char* kind, std::int64_t number, const Place& place,
            int& index);
  void warn_of(const PlaceTally& tally, const char* what) const;
  void warn_of_overlaps(const TetMesh& mesh) const;

  std::string file_;
  std::int64_t first_point_;
  std::vector<std::string>* warnings_;
  Problems problems_;
  std::vector<Vec3> points_;
  std::int64_t piece_ = 0;  // index of the first point of this piece
  std::vector<Tet> tets_;
  std::vector<Triangle> triangles_;
  PlaceTally turned_, narrow_, skipped_;
};

/// How many faces have two or more tets on the same side: tets that lie in each other, such as
/// three tets at one face or the same tet twice. `first` receives the lowest index of such a tet.
std::int64_t count_overlapping_faces(const std::vector<Tet>& tets, int& first);

}  // namespace pliant
