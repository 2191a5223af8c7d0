#include "formats/cells.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "formats/text.h"

namespace pliant {
namespace {

// Faces are numbered 4 * tet + face elsewhere, in an int.
constexpr std::size_t most_tets = std::numeric_limits<int>::max() / 4;

// Six times the volume, as a share of the cube over the longest edge.
double fullness(const std::vector<Vec3>& points, const Tet& t) {
  const Vec3 a = points[t[1]] - points[t[0]], b = points[t[2]] - points[t[0]],
             c = points[t[3]] - points[t[0]];
  const double longest =
      std::max({a.norm(), b.norm(), c.norm(), (b - a).norm(), (c - a).norm(), (c - b).norm()});
  if (!(longest > 0)) return 0;
  return (a / longest).cross(b / longest).dot(c / longest);
}

constexpr double rounding = 1e-14;  // real slivers have 1e-6 and more

}  // namespace

void CellCollector::add_point(const Vec3& point, std::int64_t number, const Place& place) {
  if (points_.size() >= std::size_t(std::numeric_limits<int>::max()))
    throw InputError(file_, to_string(place), "is where there are more points than can be counted");
  points_.push_back(point);
  for (const double x : point) {
    if (std::isfinite(x)) continue;
    problems_.add(place, fmt::format("gives point {} the coordinate {}; it must be a finite number",
                                     number, x));
    return;
  }
}

bool CellCollector::find(std::int64_t corner, const char* kind, std::int64_t number,
                         const Place& place, int& index) {
  const std::int64_t count = points() - piece_;
  // Written so that no extreme corner can overflow.
  if (corner < first_point_ || corner > first_point_ + count - 1) {
    problems_.add(
        place, count == 0
                   ? fmt::format("gives {} {} the point \"{}\", but there are no points", kind,
                                 number, corner)
                   : fmt::format("gives {} {} the point \"{}\"; points are numbered {} to {}", kind,
                                 number, corner, first_point_, first_point_ + count - 1));
    return false;
  }
  index = int(piece_ + corner - first_point_);
  return true;
}

void CellCollector::add_tet(const std::array<std::int64_t, 4>& corners, std::int64_t number,
                            const Place& place) {
  Tet tet{};
  for (int k = 0; k < 4; ++k)
    if (!find(corners[k], "tet", number, place, tet[k])) return;
  for (const int corner : tet)
    if (!points_[corner].allFinite()) return;  // a problem already
  const double full = fullness(points_, tet);
  if (!(std::abs(full) > rounding)) {
    problems_.add(place, fmt::format("gives tet {} no volume", number));
    return;
  }
  if (full < 0) {
    std::swap(tet[2], tet[3]);
    turned_.add(place);
  }
  if (tets_.size() >= most_tets)
    throw InputError(file_, to_string(place), "is where there are more tets than can be counted");
  tets_.push_back(tet);
}

void CellCollector::add_triangle(const std::array<std::int64_t, 3>& corners, std::int64_t number,
                                 const Place& place) {
  Triangle t{};
  for (int k = 0; k < 3; ++k)
    if (!find(corners[k], "triangle", number, place, t[k])) return;
  if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) return narrow_.add(place);
  triangles_.push_back(t);
}

void CellCollector::skip(const Place& place, std::int64_t count) {
  if (count <= 0) return;
  skipped_.add(place);
  skipped_.count += count - 1;
}

void CellCollector::warn_of(const PlaceTally& tally, const char* what) const {
  if (tally.count > 0)
    warn(warnings_, file_,
         fmt::format("{} {}, the first {} {}", tally.count, what,
                     std::string_view(tally.first.unit) == "line" ? "on" : "at",
                     to_string(tally.first)));
}

void CellCollector::warn_of_overlaps(const TetMesh& mesh) const {
  int first = 0;
  const std::int64_t count = count_overlapping_faces(mesh.tets, first);
  if (count > 0)
    warn(warnings_, file_,
         fmt::format("{} faces have more than one tet on the same side (tets overlap or do not "
                     "conform), the first is of the tet in place {} of {}",
                     count, first + 1, mesh.tets.size()));
}

Solid CellCollector::finish() {
  problems_.throw_if_any();
  warn_of(skipped_, "cells are neither tets nor triangles and were left out");
  if (!tets_.empty()) {
    TetMesh mesh{std::move(points_), std::move(tets_)};
    warn_of(turned_, "tets were inside out and have been turned");
    warn_of_overlaps(mesh);
    return mesh;
  }
  if (triangles_.empty()) throw InputError(file_, "", "has no tets and no triangles");
  warn_of(narrow_, "triangles have fewer than three different corners and were left out");
  TriangleMesh mesh;
  mesh.points = std::move(points_);
  mesh.triangles = std::move(triangles_);
  return mesh;
}

std::int64_t count_overlapping_faces(const std::vector<Tet>& tets, int& first) {
  // Each side of a face once: its corners in order of turning, the lowest first. Of three tets at a
  // face two are on the same side, so equal sides are all there is to find.
  struct Side {
    Triangle corners;
    int tet;
  };
  constexpr int face_corners[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
  std::vector<Side> sides;
  sides.reserve(4 * tets.size());
  for (std::size_t t = 0; t < tets.size(); ++t) {
    for (const auto& f : face_corners) {
      Triangle corners{tets[t][f[0]], tets[t][f[1]], tets[t][f[2]]};
      std::rotate(corners.begin(), std::min_element(corners.begin(), corners.end()), corners.end());
      sides.push_back({corners, int(t)});
    }
  }
  std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
    return a.corners != b.corners ? a.corners < b.corners : a.tet < b.tet;
  });
  // Both sides of one face may be crowded; the face counts once.
  std::vector<Triangle> crowded;
  first = int(tets.size());
  for (std::size_t i = 1; i < sides.size(); ++i) {
    if (sides[i].corners != sides[i - 1].corners) continue;
    first = std::min(first, sides[i - 1].tet);
    Triangle face = sides[i].corners;
    std::sort(face.begin(), face.end());
    crowded.push_back(face);
  }
  std::sort(crowded.begin(), crowded.end());
  return std::unique(crowded.begin(), crowded.end()) - crowded.begin();
}

}  // namespace pliant
