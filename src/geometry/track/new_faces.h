#pragma once

#include <span>
#include <vector>

#include "geometry/track/original.h"
#include "geometry/track/seam.h"
#include "geometry/track/tracked_surface.h"

namespace pliant::track {

/// Triangles and points of a patch in the making. Points are numbered as in cut::Sliced, and then
/// come those that are added here.
class NewFaces {
 public:
  NewFaces(const TrackedSurface& surface, const Lattice& lattice, const Seam& seam,
           const OriginalSurface& original);

  const Vec3& place(int point) const;  // in cells
  /// A point of inner material, or of the surface beside it.
  int add_point(const Vec3& place, const Origin& origin);
  /// Where a point came from.
  const Origin& origin(int point);
  /// The triangle of the surface a point was cut from; -1 = none.
  int triangle_of(int point) const { return point < int(cut_from_.size()) ? cut_from_[point] : -1; }

  void add(const Triangle& corners, int source);
  /// A convex polygon as a fan from its best corner, or from its middle when all are bad.
  void add_polygon(std::span<const int> corners, int source);
  /// Any polygon, from its middle.
  void add_from_middle(std::span<const int> corners, std::span<const int> sources);
  /// Twice the area over the square of the longest side.
  double flatness(int a, int b, int c) const;

  /// Hands all to the surface.
  void finish(TrackedSurface& surface, std::vector<char>& placed);

 private:
  int add_middle(std::span<const int> corners);
  Origin find_origin(int point) const;

  const TrackedSurface& surface_;
  const Lattice& lattice_;
  const cut::Sliced& sliced_;
  const OriginalSurface& original_;
  std::vector<int> cut_from_;   // per sliced point
  std::vector<Origin> origin_;  // per sliced point, where known
  std::vector<char> known_;     // per sliced point
  std::vector<Vec3> added_;     // places
  std::vector<Origin> added_origin_;
  std::vector<Triangle> triangles_;
  std::vector<int> source_;
};

}  // namespace pliant::track
