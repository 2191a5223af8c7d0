#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "formats/faces.h"
#include "geometry/mesh/origin.h"

namespace pliant {

/// Where the triangles and vertices of a recorded surface came from.
struct RecordedOrigins {
  /// The surface as given: the skin's own first vertices. Recorded once.
  std::vector<Eigen::Vector3f> given_points;
  std::vector<Triangle> given_triangles;

  struct Place {
    std::int32_t triangle;  // of those given; -1 = inner material
    float second, third;    // weights of its second and third corner
  };
  std::vector<Place> place;  // per vertex
  std::vector<int> source;   // per triangle: of those given; -1 = inner material
  std::vector<int> piece;    // per vertex

  bool empty() const { return given_triangles.empty(); }
};

/// Gives surfaces that change their triangles the texture coordinates and groups of the file that
/// they came from. A triangle looks like the given one of which it is a part: its corners get the
/// coordinates of their own places where these lie on the same chart (faces without a seam between
/// them), so that whatever was not torn looks as it did, to rounding; else those of the nearest
/// point of that given triangle. What was inside belongs to the group "inside".
class TracedFaces {
 public:
  TracedFaces(const Original& original, const RecordedOrigins& origins);

  /// What a given triangle has of the file.
  struct Corners {
    int face = -1;  // -1 = it has none there
    int paint = -1;
    bool textured = false;
    std::array<Eigen::Vector2f, 3> uv = {};     // per corner of the given triangle
    std::array<Eigen::Vector3f, 3> color = {};  // where vertices of the file have colors
  };
  const std::vector<Corners>& given() const { return corners_; }
  bool has_colors() const { return colored_; }

  /// One face per triangle, in their order, each with its triangle's corners. Colors of vertices
  /// are left to corner_colors().
  Faces faces_of(const std::vector<Triangle>& triangles, const RecordedOrigins& origins) const;
  /// Three per triangle, white inside; empty when the file has none.
  std::vector<Eigen::Vector3f> corner_colors(const std::vector<Triangle>& triangles,
                                             const RecordedOrigins& origins) const;

 private:
  void find_corners(const Original& original);
  void take_corners(const Original& original, int triangle, int cut);
  void find_refined(const Original& original, const std::vector<int>& triangles);
  void find_charts();
  void find_groups(const Original& original);
  Eigen::Vector2f uv_at(int triangle, const Vec3& weights) const;
  Eigen::Vector2f uv_of(int source, const RecordedOrigins::Place& place) const;
  std::optional<Vec3> weights_in(int triangle, const RecordedOrigins::Place& place) const;

  std::vector<Eigen::Vector3f> points_;
  std::vector<Triangle> given_;
  std::vector<Corners> corners_;      // per given triangle
  std::vector<int> chart_;            // per given triangle
  std::vector<std::vector<int>> at_;  // per given point: its triangles
  bool colored_ = false;
  bool painted_ = false;
  std::vector<Paint> paints_;
  std::vector<EncodedImage> images_;
  std::vector<std::string> names_;    // of groups
  std::vector<std::vector<int>> in_;  // per given triangle: its groups
};

}  // namespace pliant
