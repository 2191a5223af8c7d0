#include "play/traced_faces.h"

#include <algorithm>
#include <map>

#include "core/disjoint_sets.h"
#include "geometry/mesh/sides.h"
#include "geometry/query/bvh.h"

namespace pliant {
namespace {

Triangle sorted(Triangle t) {
  std::sort(t.begin(), t.end());
  return t;
}

Vec3 weights_of(const RecordedOrigins::Place& place) {
  return {1 - double(place.second) - double(place.third), double(place.second),
          double(place.third)};
}

}  // namespace

TracedFaces::TracedFaces(const Original& original, const RecordedOrigins& origins)
    : points_(origins.given_points),
      given_(origins.given_triangles),
      corners_(given_.size()),
      colored_(!original.faces.colors.empty()),
      paints_(original.faces.paints),
      images_(original.faces.images),
      in_(given_.size()) {
  at_.resize(points_.size());
  for (int t = 0; t < int(given_.size()); ++t)
    for (const int p : given_[t]) at_[p].push_back(t);
  find_corners(original);
  find_charts();
  find_groups(original);
  painted_ = !original.faces.paint.empty();
  for (Corners& corners : corners_)
    if (painted_ && corners.face >= 0)
      corners.paint = original.faces.paint[std::size_t(corners.face)];
}

// The file's triangles and those given have their vertices in common; physics may have turned them,
// or divided them.
void TracedFaces::find_corners(const Original& original) {
  const Faces& faces = original.faces;
  std::map<Triangle, int> cut_with;
  for (int c = 0; c < int(faces.cut.size()); ++c) {
    Triangle t;
    for (int k = 0; k < 3; ++k) t[k] = original.vertex[faces.vertex[faces.cut[c][k]]];
    cut_with.try_emplace(sorted(t), c);
  }
  std::vector<int> others;
  for (int t = 0; t < int(given_.size()); ++t) {
    const auto found = cut_with.find(sorted(given_[t]));
    if (found == cut_with.end()) others.push_back(t);
    else take_corners(original, t, found->second);
  }
  if (!others.empty() && !faces.cut.empty()) find_refined(original, others);
}

void TracedFaces::take_corners(const Original& original, int triangle, int cut) {
  const Faces& faces = original.faces;
  Corners& to = corners_[triangle];
  to.face = int(std::upper_bound(faces.start.begin(), faces.start.end(), faces.cut[cut][0]) -
                faces.start.begin()) -
            1;
  to.textured = faces.has_textures();
  for (int k = 0; k < 3 && to.textured; ++k)
    for (const int corner : faces.cut[cut]) {
      if (original.vertex[faces.vertex[corner]] != given_[triangle][k]) continue;
      if (faces.texture[corner] < 0) to.textured = false;
      else to.uv[k] = faces.uv[faces.texture[corner]];
    }
  for (int k = 0; k < 3 && colored_; ++k)
    for (const int corner : faces.cut[cut])
      if (original.vertex[faces.vertex[corner]] == given_[triangle][k])
        to.color[k] = faces.colors[faces.vertex[corner]];
}

// Parts of a triangle of the file are those whose middles lie on it.
void TracedFaces::find_refined(const Original& original, const std::vector<int>& triangles) {
  const Faces& faces = original.faces;
  TriangleMesh file;
  for (const Eigen::Vector3f& p : points_) file.points.push_back(p.cast<double>());
  for (const Triangle& cut : faces.cut) {
    Triangle& t = file.triangles.emplace_back();
    for (int k = 0; k < 3; ++k) t[k] = original.vertex[faces.vertex[cut[k]]];
    for (const int p : t)
      if (p >= int(points_.size())) return;
  }
  const Bvh bvh(file);
  for (const int t : triangles) {
    const Triangle& i = given_[t];
    const Vec3 middle = (file.points[i[0]] + file.points[i[1]] + file.points[i[2]]) / 3;
    const int cut = bvh.closest_point(file, middle).triangle;
    Corners& to = corners_[t];
    to.face = int(std::upper_bound(faces.start.begin(), faces.start.end(), faces.cut[cut][0]) -
                  faces.start.begin()) -
              1;
    to.textured = faces.has_textures();
    for (const int corner : faces.cut[cut]) to.textured = to.textured && faces.texture[corner] >= 0;
    for (int k = 0; k < 3 && (to.textured || colored_); ++k) {
      const Vec3 w = closest_on_triangle(file.points[i[k]], file, cut).share;
      to.color[k].setZero();
      for (int m = 0; m < 3 && colored_; ++m)
        to.color[k] += float(w[m]) * faces.colors[faces.vertex[faces.cut[cut][m]]];
      if (!to.textured) continue;
      Eigen::Vector2d uv = Eigen::Vector2d::Zero();
      for (int m = 0; m < 3; ++m)
        uv += w[m] * faces.uv[faces.texture[faces.cut[cut][m]]].cast<double>();
      to.uv[k] = uv.cast<float>();
    }
  }
}

// Faces with a common edge are of one chart when both ends have the same coordinates in both.
void TracedFaces::find_charts() {
  constexpr float same = 1e-5f;  // of a texture: rounding
  DisjointSets sets(int(given_.size()));
  const auto agree = [&](int s, int t, int point) {
    if (corners_[s].textured != corners_[t].textured) return false;
    const auto at = [&](int triangle) {
      const Triangle& i = given_[triangle];
      return corners_[triangle].uv[std::size_t(std::find(i.begin(), i.end(), point) - i.begin())];
    };
    return (at(s) - at(t)).norm() <= same;
  };
  for_each_edge(sorted_sides(given_), [&](const Side* begin, const Side* end) {
    for (const Side* side = begin + 1; side < end; ++side) {
      const int s = begin->index / 3, t = side->index / 3;
      if (agree(s, t, begin->low) && agree(s, t, begin->high)) sets.join(s, t);
    }
  });
  chart_ = sets.numbers();
}

void TracedFaces::find_groups(const Original& original) {
  std::vector<std::vector<int>> of_face(std::size_t(original.faces.size()));
  for (const TriangleMesh::Group& group : original.faces.groups) {
    for (const int face : group.triangles) of_face[face].push_back(int(names_.size()));
    names_.push_back(group.name);
  }
  for (std::size_t t = 0; t < given_.size(); ++t)
    if (corners_[t].face >= 0) in_[t] = of_face[corners_[t].face];
}

Eigen::Vector2f TracedFaces::uv_at(int triangle, const Vec3& weights) const {
  Eigen::Vector2d sum = Eigen::Vector2d::Zero();
  for (int k = 0; k < 3; ++k) sum += weights[k] * corners_[triangle].uv[k].cast<double>();
  return sum.cast<float>();
}

// Weights of the triangle's corners, if it has the place's own point, edge or inside.
std::optional<Vec3> TracedFaces::weights_in(int triangle,
                                            const RecordedOrigins::Place& place) const {
  const Vec3 given = weights_of(place);
  if (place.triangle == triangle) return given;
  Vec3 weights = Vec3::Zero();
  for (int i = 0; i < 3; ++i) {
    if (given[i] == 0) continue;
    const Triangle& t = given_[triangle];
    const auto k = std::find(t.begin(), t.end(), given_[place.triangle][i]);
    if (k == t.end()) return std::nullopt;
    weights[k - t.begin()] = given[i];
  }
  return weights;
}

Eigen::Vector2f TracedFaces::uv_of(int source, const RecordedOrigins::Place& place) const {
  if (place.triangle < 0) return uv_at(source, Vec3::Constant(1.0 / 3));
  if (chart_[place.triangle] == chart_[source]) return uv_at(place.triangle, weights_of(place));
  // On a seam the place has coordinates on either side: those of this chart are wanted.
  for (int i = 0; i < 3; ++i) {
    if (weights_of(place)[i] == 0) continue;
    for (const int t : at_[given_[place.triangle][i]])
      if (chart_[t] == chart_[source])
        if (const std::optional<Vec3> weights = weights_in(t, place)) return uv_at(t, *weights);
  }
  const auto point = [&](int t, const Vec3& w) -> Vec3 {
    Vec3 sum = Vec3::Zero();
    for (int k = 0; k < 3; ++k) sum += w[k] * points_[given_[t][k]].cast<double>();
    return sum;
  };
  return uv_at(source, closest_on_triangle(
                           point(place.triangle, weights_of(place)), point(source, Vec3::UnitX()),
                           point(source, Vec3::UnitY()), point(source, Vec3::UnitZ()))
                           .share);
}

Faces TracedFaces::faces_of(const std::vector<Triangle>& triangles,
                            const RecordedOrigins& origins) const {
  Faces faces;
  faces.paints = paints_;
  faces.images = images_;
  std::vector<std::vector<int>> group(names_.size());
  std::vector<int> inside;
  std::map<std::pair<int, int>, int> texture_of;  // vertex, chart; -1: other, by triangle
  for (int n = 0; n < int(triangles.size()); ++n) {
    const Triangle& t = triangles[n];
    const int source = origins.source[n];
    if (source < 0) inside.push_back(n);
    std::array<int, 3> texture = {-1, -1, -1};
    const bool textured = source >= 0 && corners_[source].textured;
    for (int k = 0; k < 3 && textured; ++k) {
      const RecordedOrigins::Place& place = origins.place[t[k]];
      // One pair for all triangles of a chart, so that vertices are divided at seams only.
      const bool shared = place.triangle >= 0 && chart_[place.triangle] == chart_[source];
      const int key = shared ? chart_[source] : -1 - source;
      const auto [known, is_new] = texture_of.try_emplace({t[k], key}, int(faces.uv.size()));
      if (is_new) faces.uv.push_back(uv_of(source, place));
      texture[k] = known->second;
    }
    if (textured) faces.add(t, texture, {&t, 1});
    else faces.add(t, {}, {&t, 1});
    if (painted_) faces.set_paint(source < 0 ? -1 : corners_[source].paint);
    if (source >= 0)
      for (const int g : in_[source]) group[g].push_back(n);
  }
  for (std::size_t g = 0; g < names_.size(); ++g)
    if (!group[g].empty()) faces.groups.push_back({names_[g], std::move(group[g])});
  if (!inside.empty()) faces.groups.push_back({"inside", std::move(inside)});
  return faces;
}

std::vector<Eigen::Vector3f> TracedFaces::corner_colors(const std::vector<Triangle>& triangles,
                                                        const RecordedOrigins& origins) const {
  std::vector<Eigen::Vector3f> colors;
  if (!colored_) return colors;
  for (std::size_t n = 0; n < triangles.size(); ++n)
    for (const int v : triangles[n]) {
      Eigen::Vector3f& color = colors.emplace_back(Eigen::Vector3f::Ones());
      const RecordedOrigins::Place& place = origins.place[std::size_t(v)];
      if (origins.source[n] < 0 || place.triangle < 0) continue;
      const Vec3 weights = weights_of(place);
      color.setZero();
      for (int k = 0; k < 3; ++k)
        color += float(weights[k]) * corners_[std::size_t(place.triangle)].color[std::size_t(k)];
    }
  return colors;
}

}  // namespace pliant
