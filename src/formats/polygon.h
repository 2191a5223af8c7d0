#pragma once

#include <span>
#include <vector>

#include "math/types.h"

namespace pliant {

/// Cuts polygons with any number of corners into triangles of the same orientation. Convex ones
/// become a fan, all others lose one ear after the other, seen along their mean normal. Keeps its
/// workspace.
class PolygonCutter {
 public:
  /// Appends the triangles; returns how many. 0 when fewer than three corners differ. Corners must
  /// be indices into `points`.
  int cut(std::span<const int> corners, const std::vector<Vec3>& points,
          std::vector<Triangle>& triangles);

  /// Polygons so large and so ragged that their rest was cut as a fan, to bound the time.
  int given_up() const { return given_up_; }

 private:
  bool project(const std::vector<Vec3>& points);
  double turn(int a, int b, int c) const;
  bool is_convex() const;
  void emit(int a, int b, int c, std::vector<Triangle>& triangles) const;
  bool blocked(int ear, bool edges_block);
  void clip_ears(std::vector<Triangle>& triangles);

  std::vector<int> corners_;  // without repeated neighbours
  std::vector<Vec2> flat_;    // corners seen along the normal, anticlockwise
  std::vector<int> before_, after_;
  std::vector<int> dents_;  // corners that turn right or go straight: only they can block an ear
  std::vector<char> alive_;
  long long budget_ = 0;  // tests left before giving up
  int given_up_ = 0;
};

}  // namespace pliant
