#include "geometry/cut/surface_check.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "geometry/mesh/topology.h"
#include "geometry/query/self_crossing.h"
#include "geometry/query/winding_number.h"

namespace pliant::cut {
namespace {

std::string counted(int count, const char* one, const char* many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

std::string place_of(const Vec3& p) {
  char text[96];
  std::snprintf(text, sizeof text, "(%.4g, %.4g, %.4g)", p.x(), p.y(), p.z());
  return text;
}

SurfaceCheck check_points(const TriangleMesh& surface) {
  for (std::size_t p = 0; p < surface.points.size(); ++p)
    if (!surface.points[p].allFinite())
      return {CutProblem::not_finite,
              "has a point that is not finite (point " + std::to_string(p) + ")"};
  for (const Triangle& t : surface.triangles)
    if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0])
      return {CutProblem::crowded, "has a triangle that uses a point twice"};
  return {};
}

SurfaceCheck check_edges(const TriangleMesh& surface) {
  const Topology found = topology(surface);
  if (found.open_edges > 0)
    return {CutProblem::open, "is open: " + counted(found.open_edges, "edge has", "edges have") +
                                  " one triangle only"};
  if (found.crowded_edges > 0)
    return {CutProblem::crowded,
            "is not a manifold: " + counted(found.crowded_edges, "edge has", "edges have") +
                " more than two triangles"};
  if (!found.oriented())
    return {CutProblem::twisted,
            "faces both ways: " + counted(found.twisted_edges, "edge joins", "edges join") +
                " triangles that face opposite ways"};
  return {};
}

// Shells that face outwards must lie outside all others or in a hole, those that face inwards must
// lie in one shell more that faces outwards. Since shells do not cross, one point of each tells.
SurfaceCheck check_shells(const TriangleMesh& surface) {
  const std::vector<int> shell = shell_of_triangles(surface);
  const int count = 1 + *std::max_element(shell.begin(), shell.end());
  TriangleMesh own{surface.points, {}, {}}, others{surface.points, {}, {}};
  for (int s = 0; s < count; ++s) {
    own.triangles.clear();
    others.triangles.clear();
    for (std::size_t t = 0; t < shell.size(); ++t)
      (shell[t] == s ? own : others).triangles.push_back(surface.triangles[t]);
    const bool is_hole = volume(own) < 0;
    const Vec3& point = surface.points[own.triangles.front()[0]];
    if (std::lround(winding_number_brute_force(others, point)) == int(is_hole)) continue;
    return {CutProblem::overlapping,
            std::string(is_hole ? "has a shell inside out with no solid around it"
                                : "has a shell inside another that faces the same way") +
                ", at " + place_of(point)};
  }
  return {};
}

}  // namespace

SurfaceCheck check_surface(const TriangleMesh& surface, bool allow_crossing) {
  if (surface.triangles.empty()) return {CutProblem::empty, "has no triangles"};
  SurfaceCheck check = check_points(surface);
  if (check.problem == CutProblem::none) check = check_edges(surface);
  if (check.problem != CutProblem::none || allow_crossing) return check;
  if (const auto crossing = find_self_crossing(surface)) {
    const Vec3& at = surface.points[surface.triangles[crossing->first][0]];
    return {CutProblem::crossing, "passes through itself: triangles " +
                                      std::to_string(crossing->first) + " and " +
                                      std::to_string(crossing->second) + ", near " + place_of(at)};
  }
  return check_shells(surface);
}

}  // namespace pliant::cut
