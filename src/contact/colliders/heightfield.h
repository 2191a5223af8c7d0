#pragma once

#include <optional>
#include <vector>

#include "geometry/mesh/triangle_mesh.h"

namespace pliant {

/// A landscape: heights over a grid, two triangles to a cell, solid below. Lies about the origin in
/// x and z; beyond its rim it goes on as the rim is, so that nothing falls off.
class Heightfield {
 public:
  /// `heights` [m], row by row: those of one row lie along x, rows follow along z. At least two of
  /// each. `size` [m] along x and z.
  Heightfield(int columns, std::vector<double> heights, const Vec2& size);

  struct Hit {
    Vec3 point = Vec3::Zero();    // on the surface
    Vec3 face = Vec3::UnitY();    // unit normal of the triangle, upwards
    double squared_distance = 0;  // [m^2]
  };
  /// Nearest point of the surface within `reach`.
  std::optional<Hit> closest(const Vec3& p, double reach) const;
  /// Straight above or below `p`.
  Hit below(const Vec3& p) const;
  /// [m] What is so much straight above the surface is no nearer to it than this.
  double least_distance(double above) const { return above * least_cosine_; }

  struct Entry {
    double at = 0;  // share of the way
    Vec3 face = Vec3::UnitY();
  };
  /// Where a path first goes down through the surface. Costs the rows and columns that it passes
  /// at heights that the surface has, however long it is.
  std::optional<Entry> enter(const Vec3& from, const Vec3& to) const;

  double highest() const { return highest_; }
  int columns() const { return columns_; }
  int rows() const { return rows_; }
  /// For pictures: the surface as far as it was given.
  TriangleMesh surface() const;

 private:
  int column_of(double x) const;
  int row_of(double z) const;
  Vec3 corner(int column, int row) const;
  void enter_cell(const Vec3& from, const Vec3& step, int column, int row, Entry& entry) const;
  template <class Visit>
  void triangles(int column, int row, const Visit& visit) const;

  int columns_, rows_;
  std::vector<double> heights_;
  Vec2 size_, cell_;
  double lowest_ = 0, highest_ = 0;
  double least_cosine_ = 1;  // between a face's normal and straight up
};

}  // namespace pliant
