#include "play/shown_surface.h"

#include "picture/color.h"

namespace pliant {

void ShownSurface::show(const RecordedBody& body) {
  const bool is_new = topology_ != body.topology;
  topology_ = body.topology;
  if (is_new) {
    shows_original_ = original_ && body.has_original();
    if (shows_original_) {
      faces_ = body.original.faces;
      vertex_ = body.original.vertex;
    } else {
      TriangleMesh skin;
      skin.triangles = body.triangles;
      faces_ = faces_of(skin);
    }
    triangles_ = faces_.triangles();
  }
  if (shows_original_) body.original.place(body.points, points_);
  else points_ = body.points;
}

std::span<const float> ShownSurface::values(const std::vector<float>& of_skin) {
  if (!shows_original_ || of_skin.empty()) return of_skin;
  values_.clear();
  for (const int v : vertex_) values_.push_back(of_skin[std::size_t(v)]);
  return values_;
}

GlbSurface::GlbSurface(const RecordedBody& first, bool original) : shown_(original) {
  shown_.show(first);
  SplitVertices split = split_by_texture(shown_.faces(), int(shown_.points().size()));
  mesh_.name = first.name;
  mesh_.color = to_linear(first.color);
  mesh_.triangles = std::move(split.triangles);
  mesh_.uv = std::move(split.uv);
  mesh_.vertices = int(split.vertex.size());
  const bool is_original = original && first.has_original();
  if (is_original)
    for (const int v : split.vertex) mesh_.place.push_back(first.original.vertex[std::size_t(v)]);
  if (split.vertex.size() > shown_.points().size()) vertex_ = std::move(split.vertex);
}

std::span<const Eigen::Vector3f> GlbSurface::points(const RecordedBody& body) {
  shown_.show(body);
  if (vertex_.empty()) return shown_.points();
  points_.clear();
  for (const int v : vertex_) points_.push_back(shown_.points()[std::size_t(v)]);
  return points_;
}

}  // namespace pliant
