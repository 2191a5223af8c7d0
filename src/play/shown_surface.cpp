#include "play/shown_surface.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "picture/color.h"

namespace pliant {
namespace {

void take_paint(const Faces& faces, const SplitVertices& split, GlbMesh& mesh) {
  for (const int v : split.vertex)
    if (!faces.colors.empty()) mesh.colors.push_back(faces.colors[std::size_t(v)]);
  if (faces.paint.empty()) return;
  mesh.paints = faces.paints;
  mesh.images = faces.images;
  for (const Triangle& cut : faces.cut) {
    const auto face = std::upper_bound(faces.start.begin(), faces.start.end(), cut[0]) - 1;
    mesh.paint.push_back(faces.paint[std::size_t(face - faces.start.begin())]);
  }
}

}  // namespace

void ShownSurface::show(const RecordedBody& body, bool faces) {
  if (topology_ != body.topology) has_faces_ = false;
  topology_ = body.topology;
  const bool traces = original_ && !body.origins.empty();
  shows_original_ = original_ && body.has_original() && !traces;
  if (faces && !has_faces_) {
    if (traces) {
      if (!traced_) traced_.emplace(body.original, body.origins);
      faces_ = traced_->faces_of(body.triangles, body.origins);
    } else if (shows_original_) {
      faces_ = body.original.faces;
      vertex_ = body.original.vertex;
    } else {
      TriangleMesh skin;
      skin.triangles = body.triangles;
      faces_ = faces_of(skin);
    }
    triangles_ = faces_.triangles();
    has_faces_ = true;
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

GlbSurfaces::GlbSurfaces(RecordingReader& recording, std::vector<int> frames, bool original)
    : recording_(recording), frames_(std::move(frames)) {
  std::vector<std::vector<Size>> sizes;  // per frame and body
  for (const int frame : frames_) {
    std::vector<Size>& of_frame = sizes.emplace_back();
    for (const RecordedBody& body : recording_.frame(frame))
      of_frame.push_back({body.topology, body.points.size(), body.triangles.size()});
  }
  thin_out(sizes);
  add_meshes(original);
  add_colliders();
}

void GlbSurfaces::thin_out(const std::vector<std::vector<Size>>& sizes) {
  constexpr double most = 4e8;  // [bytes]
  double bytes = 0;
  bool changes = false;
  for (std::size_t f = 0; f < sizes.size(); ++f)
    for (std::size_t b = 0; b < sizes[f].size(); ++b) {
      const Size& size = sizes[f][b];
      const bool is_new = f == 0 || size.topology != sizes[f - 1][b].topology;
      bytes += 24 * double(size.vertices);  // positions and normals
      if (is_new) bytes += 8 * double(size.vertices) + 12 * double(size.triangles);
      changes = changes || (is_new && f > 0);
    }
  if (!changes || bytes <= most) return;
  every_ = int(std::ceil(bytes / most));
  std::vector<int> fewer;
  for (std::size_t f = 0; f < frames_.size(); f += std::size_t(every_)) fewer.push_back(frames_[f]);
  frames_ = std::move(fewer);
}

void GlbSurfaces::add_meshes(bool original) {
  std::vector<std::vector<GlbMesh>> meshes(recording_.frame(frames_.front()).size());
  std::vector<std::vector<std::vector<int>>> splits(meshes.size());
  std::vector<int> topology(meshes.size(), -1);
  shown_.assign(meshes.size(), ShownSurface(original));
  for (int f = 0; f < int(frames_.size()); ++f) {
    const std::vector<RecordedBody>& bodies = recording_.frame(frames_[f]);
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      if (topology[b] == bodies[b].topology) continue;
      topology[b] = bodies[b].topology;
      shown_[b].show(bodies[b]);
      if (!meshes[b].empty()) meshes[b].back().last = f - 1;
      meshes[b].push_back(mesh_of(bodies[b], shown_[b], splits[b].emplace_back()));
      meshes[b].back().first = f;
    }
  }
  for (std::size_t b = 0; b < meshes.size(); ++b)
    for (std::size_t m = 0; m < meshes[b].size(); ++m) {
      meshes_.push_back(std::move(meshes[b][m]));
      split_.push_back(std::move(splits[b][m]));
      body_.push_back(int(b));
    }
}

void GlbSurfaces::add_colliders() {
  const std::size_t first = meshes_.size();
  for (const RecordedCollider& collider : recording_.colliders()) {
    GlbMesh mesh;
    mesh.name = collider.name;
    mesh.color = to_linear(collider.color);
    mesh.triangles = collider.triangles;
    mesh.vertices = int(collider.points.size());
    meshes_.push_back(std::move(mesh));
  }
  if (meshes_.size() == first) return;
  for (const int frame : frames_) {
    recording_.frame(frame);
    for (std::size_t c = 0; c < recording_.colliders().size(); ++c)
      meshes_[first + c].poses.push_back(recording_.colliders()[c].pose);
  }
}

GlbMesh GlbSurfaces::mesh_of(const RecordedBody& body, const ShownSurface& shown,
                             std::vector<int>& divided) const {
  GlbMesh mesh;
  SplitVertices split = split_by_texture(shown.faces(), int(shown.points().size()));
  mesh.name = body.name;
  mesh.color = to_linear(body.color);
  mesh.triangles = std::move(split.triangles);
  mesh.uv = std::move(split.uv);
  mesh.vertices = int(split.vertex.size());
  take_paint(shown.faces(), split, mesh);
  for (const int v : split.vertex)
    if (shown.shows_original()) mesh.place.push_back(body.original.vertex[std::size_t(v)]);
    else if (split.vertex.size() > shown.points().size()) mesh.place.push_back(v);
  if (split.vertex.size() > shown.points().size()) divided = std::move(split.vertex);
  return mesh;
}

std::span<const Eigen::Vector3f> GlbSurfaces::points(int mesh, int frame) {
  if (std::size_t(mesh) >= body_.size())
    return recording_.colliders()[std::size_t(mesh) - body_.size()].points;
  const std::size_t b = std::size_t(body_[std::size_t(mesh)]);
  shown_[b].show(recording_.frame(frames_[std::size_t(frame)])[b], false);
  const std::vector<int>& split = split_[std::size_t(mesh)];
  if (split.empty()) return shown_[b].points();
  points_.clear();
  for (const int v : split) points_.push_back(shown_[b].points()[std::size_t(v)]);
  return points_;
}

std::string told_thinned(const GlbSurfaces& surfaces) {
  return fmt::format(
      "a surface changes its triangles: the .glb shows one frame in {}, as it would be larger than "
      "400 MB with all; usda, ply, obj, stl and vtu have every frame",
      surfaces.every());
}

}  // namespace pliant
