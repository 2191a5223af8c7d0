#include "play/body_paint.h"

#include <fmt/format.h>

#include "core/errors.h"
#include "picture/decode.h"

namespace pliant {
namespace {

/// A surface that stays as it is built: all is where it was given.
ShotPaint paint_of(const RecordedBody& body) {
  RecordedOrigins origins;
  origins.given_points = body.rest;
  origins.given_triangles = body.triangles;
  const TracedFaces traced(body.original, origins);
  ShotPaint paint;
  for (const TracedFaces::Corners& corners : traced.given()) {
    paint.kind.push_back(corners.paint);
    paint.uv.insert(paint.uv.end(), corners.uv.begin(), corners.uv.end());
    if (traced.has_colors())
      paint.color.insert(paint.color.end(), corners.color.begin(), corners.color.end());
  }
  return paint;
}

/// A surface that changes its triangles, at a frame.
ShotPaint paint_of(const RecordedBody& body, const TracedFaces& traced) {
  const Faces faces = traced.faces_of(body.triangles, body.origins);
  ShotPaint paint;
  paint.kind = faces.paint;
  paint.color = traced.corner_colors(body.triangles, body.origins);
  for (const int texture : faces.texture)
    paint.uv.push_back(texture < 0 ? Eigen::Vector2f(Eigen::Vector2f::Zero())
                                   : faces.uv[std::size_t(texture)]);
  return paint;
}

}  // namespace

void BodyPaint::load_images(const RecordedBody& body) {
  for (const EncodedImage& image : body.original.faces.images) {
    std::optional<Texture>& texture = textures_.emplace_back();
    try {
      texture.emplace(decode_image(*image.bytes));
    } catch (const IoError& error) {
      warnings_.push_back(
          fmt::format("{} is shown without {}: {}", body.name, image.name, error.what()));
    }
  }
  for (const Paint& paint : body.original.faces.paints) {
    const std::optional<Texture>* const texture =
        paint.image < 0 ? nullptr : &textures_[std::size_t(paint.image)];
    paint_.kinds.push_back({paint.color.cast<float>(), texture && *texture ? &**texture : nullptr});
  }
}

const ShotPaint* BodyPaint::show(const RecordedBody& body) {
  if (!body.original.faces.has_paint()) return nullptr;
  if (body.topology == topology_) return &paint_;
  const bool is_traced = !body.origins.empty();
  if (!is_traced && body.rest.size() != body.points.size()) return nullptr;
  if (topology_ < 0) load_images(body);
  topology_ = body.topology;
  if (is_traced && !traced_) traced_.emplace(body.original, body.origins);
  ShotPaint now = is_traced ? paint_of(body, *traced_) : paint_of(body);
  now.kinds = std::move(paint_.kinds);
  now.revision = paint_.revision + 1;
  paint_ = std::move(now);
  return &paint_;
}

}  // namespace pliant
