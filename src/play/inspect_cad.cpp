#include "play/inspect_cad.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "geometry/query/ray.h"
#include "geometry/query/winding_number.h"

namespace pliant {
namespace {

// Triangles of a face that are asked for the thickness behind them.
constexpr int most_asked = 200;

/// Per triangle: the patch whose group it is in, -1 = none.
std::vector<int> patch_of_triangle(const TriangleMesh& mesh, std::size_t patches) {
  std::vector<int> patch(mesh.triangles.size(), -1);
  for (std::size_t p = 0; p < std::min(patches, mesh.groups.size()); ++p)
    for (const int t : mesh.groups[p].triangles) patch[std::size_t(t)] = int(p);
  return patch;
}

/// How far the solid reaches behind faces. Walls inside of it, where parts overlap, do not end it.
class Thickness {
 public:
  explicit Thickness(const TriangleMesh& mesh)
      : mesh_(mesh),
        tree_(mesh),
        winding_(mesh),
        hair_(1e-4 * bounds(mesh.points).extent().norm()) {}

  /// The middle value behind these triangles [m]; 0: there is nothing.
  double behind(const std::vector<int>& triangles) const {
    std::vector<double> found;
    const std::size_t stride = triangles.size() / most_asked + 1;
    for (std::size_t i = 0; i < triangles.size(); i += stride)
      if (const double way = behind(triangles[i]); way > 0) found.push_back(way);
    if (found.empty()) return 0;
    const auto middle = found.begin() + std::ptrdiff_t(found.size() / 2);
    std::nth_element(found.begin(), middle, found.end());
    return *middle;
  }

 private:
  double behind(int t) const {
    const Triangle& corner = mesh_.triangles[std::size_t(t)];
    const Vec3 middle =
        (mesh_.points[corner[0]] + mesh_.points[corner[1]] + mesh_.points[corner[2]]) / 3;
    const Vec3 inwards = -area_vector(mesh_, t).normalized();
    double way = hair_;
    for (int wall = 0; wall < 8; ++wall) {
      way = ray_distance(mesh_, tree_, middle, inwards, way);
      if (!std::isfinite(way)) return 0;
      if (!winding_.inside(middle + (way + hair_) * inwards)) return way;
      way += hair_;
    }
    return way;
  }

  const TriangleMesh& mesh_;
  const Bvh tree_;
  const WindingNumber winding_;
  const double hair_;
};

CadFace facts(const NurbsPatch& patch) {
  CadFace face;
  face.number = patch.face;
  face.name = patch.name;
  face.within = patch.within;
  face.degree_u = patch.u.degree;
  face.degree_v = patch.v.degree;
  face.poles_u = patch.u.poles();
  face.poles_v = patch.v.poles();
  face.is_trimmed = patch.is_trimmed;
  const auto [least, most] = std::minmax_element(patch.weight.begin(), patch.weight.end());
  face.is_rational = *most > (1 + 1e-9) * *least;
  return face;
}

std::vector<CadPart> parts_of(const std::vector<CadFace>& faces) {
  std::vector<CadPart> parts;
  std::map<std::string, std::size_t> known;
  for (const CadFace& face : faces)
    for (auto name = face.within.rbegin(); name != face.within.rend(); ++name) {
      const auto [at, is_new] = known.try_emplace(*name, parts.size());
      if (is_new) parts.push_back({*name, {}});
      parts[at->second].faces.push_back(face.number);
    }
  return parts;
}

/// Faces of which more triangles were turned than not.
void find_turned(const TriangleMesh& given, const Intake& intake, CadInspection& found) {
  std::vector<double> turned(found.faces.size(), 0);
  for (const int t : intake.defects.turned)
    if (const int face = found.face_of_triangle[std::size_t(t)]; face >= 0)
      turned[std::size_t(face)] += area_vector(given, t).norm();
  for (std::size_t f = 0; f < turned.size(); ++f)
    found.faces[f].was_turned = turned[f] > 0.5 * found.faces[f].area;
}

void find_meetings(const std::vector<FaceBorder>& borders, const TriangleMesh& mesh,
                   const std::vector<int>& patch, const std::vector<int>& overlapping,
                   CadInspection& found) {
  std::vector<char> is_used;
  for (const CadFace& face : found.faces) {
    is_used.resize(std::max(is_used.size(), std::size_t(face.number) + 1), 0);
    is_used[std::size_t(face.number)] = 1;
  }
  std::vector<FaceBorder> used;
  for (const FaceBorder& border : borders)
    if (std::size_t(border.face) < is_used.size() && is_used[std::size_t(border.face)])
      used.push_back(border);
  std::vector<int> number;
  for (const int p : patch) number.push_back(p < 0 ? 0 : found.faces[std::size_t(p)].number);
  found.meetings = face_meetings(used, mesh, number, overlapping, found.reach);

  const std::vector<int> piece = found.meetings.pieces(int(is_used.size()));
  std::map<int, int> seen;
  for (CadFace& face : found.faces) {
    const auto [at, is_new] = seen.try_emplace(piece[std::size_t(face.number) - 1], found.pieces);
    found.pieces += is_new;
    face.piece = at->second + 1;
  }
}

}  // namespace

CadInspection inspect_cad(const std::vector<NurbsPatch>& patches,
                          const std::vector<FaceBorder>& borders, const TriangleMesh& given,
                          const Intake& intake, const std::vector<int>& overlapping) {
  CadInspection found;
  const double diagonal = bounds(given.points).extent().norm();
  found.reach = cad_reach * diagonal;
  found.accuracy = cad_gap * diagonal;
  for (const NurbsPatch& patch : patches) found.faces.push_back(facts(patch));
  found.parts = parts_of(found.faces);
  found.face_of_triangle = patch_of_triangle(given, patches.size());
  for (std::size_t t = 0; t < given.triangles.size(); ++t)
    if (const int face = found.face_of_triangle[t]; face >= 0)
      found.faces[std::size_t(face)].area += area_vector(given, int(t)).norm();
  find_turned(given, intake, found);
  find_meetings(borders, intake.mesh, patch_of_triangle(intake.mesh, patches.size()), overlapping,
                found);
  const Thickness thickness(intake.mesh);
  for (std::size_t f = 0; f < std::min(found.faces.size(), intake.mesh.groups.size()); ++f)
    found.faces[f].thickness = thickness.behind(intake.mesh.groups[f].triangles);
  return found;
}

}  // namespace pliant
