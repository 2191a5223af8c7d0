#include "geometry/track/new_faces.h"

#include <algorithm>

namespace pliant::track {

NewFaces::NewFaces(const TrackedSurface& surface, const Lattice& lattice, const Seam& seam,
                   const OriginalSurface& original)
    : surface_(surface), lattice_(lattice), sliced_(seam.sliced()), original_(original) {
  const int given = int(surface.points.size()), count = int(sliced_.points.size());
  cut_from_.assign(std::size_t(count), -1);
  for (int p = 0; p < sliced_.patches.size(); ++p)
    for (const int v : sliced_.patches[p])
      if (cut_from_[v] < 0) cut_from_[v] = sliced_.triangle[p];
  origin_ = surface.origin;
  origin_.resize(std::size_t(count));
  known_.assign(std::size_t(count), 0);
  std::fill(known_.begin(), known_.begin() + given, 1);
}

const Vec3& NewFaces::place(int point) const {
  const int sliced = int(sliced_.points.size());
  return point < sliced ? sliced_.points[point] : added_[point - sliced];
}

int NewFaces::add_point(const Vec3& place, const Origin& origin) {
  added_.push_back(place);
  added_origin_.push_back(origin);
  return int(sliced_.points.size() + added_.size()) - 1;
}

const Origin& NewFaces::origin(int point) {
  const int sliced = int(sliced_.points.size());
  if (point >= sliced) return added_origin_[point - sliced];
  if (!known_[point]) origin_[point] = find_origin(point);
  known_[point] = 1;
  return origin_[point];
}

// A cut point lies in a triangle of the surface, between the places its corners came from.
Origin NewFaces::find_origin(int point) const {
  const int t = cut_from_[point];
  const Triangle& i = surface_.triangles[t];
  const SurfacePoint found = closest_on_triangle(sliced_.points[point], sliced_.points[i[0]],
                                                 sliced_.points[i[1]], sliced_.points[i[2]]);
  const std::array<Origin, 3> corners = {surface_.origin[i[0]], surface_.origin[i[1]],
                                         surface_.origin[i[2]]};
  return original_.between(corners, {found.share.data(), 3}, surface_.source[t]);
}

void NewFaces::add(const Triangle& corners, int source) {
  triangles_.push_back(corners);
  source_.push_back(source);
}

double NewFaces::flatness(int a, int b, int c) const {
  const Vec3 x = place(b) - place(a), y = place(c) - place(a);
  const double longest2 = std::max({x.squaredNorm(), y.squaredNorm(), (y - x).squaredNorm()});
  return x.cross(y).norm() / (longest2 + 1e-300);
}

void NewFaces::add_polygon(std::span<const int> corners, int source) {
  const int count = int(corners.size());
  if (count == 3) return add({corners[0], corners[1], corners[2]}, source);
  // Flatter fans would hide a point of an edge in it, and the neighbour's fan could do the same.
  double best = 1e-3;
  int apex = -1;
  for (int a = 0; a < count; ++a) {
    double worst = 1;
    for (int i = 1; i + 1 < count; ++i)
      worst = std::min(
          worst, flatness(corners[a], corners[(a + i) % count], corners[(a + i + 1) % count]));
    if (worst <= best) continue;
    best = worst;
    apex = a;
  }
  if (apex < 0) return add_from_middle(corners, std::vector<int>(corners.size(), source));
  for (int i = 1; i + 1 < count; ++i)
    add({corners[apex], corners[(apex + i) % count], corners[(apex + i + 1) % count]}, source);
}

void NewFaces::add_from_middle(std::span<const int> corners, std::span<const int> sources) {
  const int middle = add_middle(corners);
  for (std::size_t i = 0; i < corners.size(); ++i)
    add({middle, corners[i], corners[(i + 1) % corners.size()]}, sources[i]);
}

int NewFaces::add_middle(std::span<const int> corners) {
  Vec3 middle = Vec3::Zero();
  std::vector<Origin> origins;
  int triangle = -1;
  for (const int p : corners) {
    middle += place(p) / double(corners.size());
    origins.push_back(origin(p));
    if (triangle < 0 && triangle_of(p) >= 0) triangle = triangle_of(p);
  }
  const std::vector<double> weights(corners.size(), 1 / double(corners.size()));
  return add_point(
      middle, original_.between(origins, weights, triangle < 0 ? -1 : surface_.source[triangle]));
}

void NewFaces::finish(TrackedSurface& surface, std::vector<char>& placed) {
  const int given = int(surface.points.size());
  const int count = int(sliced_.points.size() + added_.size());
  std::vector<int> number(std::size_t(count), -1);
  const int apart = surface.apart.empty() ? 0 : surface.apart.front();
  for (const Triangle& t : triangles_)
    for (const int p : t)
      if (p >= given) number[p] = 0;
  for (int p = 0; p < given; ++p) number[p] = p;
  for (int p = given; p < count; ++p) {
    if (number[p] < 0) continue;
    number[p] = int(surface.points.size());
    const Origin from = origin(p);
    surface.points.push_back(lattice_.to_space(place(p)));
    surface.origin.push_back(from);
    const int cut_from = triangle_of(p);
    surface.piece.push_back(cut_from < 0 ? -1 : surface.piece[surface.triangles[cut_from][0]]);
    surface.apart.push_back(apart);
    surface.marks.push_back(TrackedSurface::fresh);
    placed.push_back(1);
  }
  for (Triangle& t : triangles_)
    for (int& p : t) p = number[p];
  surface.triangles = std::move(triangles_);
  surface.source = std::move(source_);
}

}  // namespace pliant::track
