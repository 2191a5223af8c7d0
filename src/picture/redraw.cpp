#include "picture/redraw.h"

#include <algorithm>

namespace pliant {
namespace {

using Eigen::AlignedBox3f;
using Eigen::Vector3f;

bool same(const Camera& a, const Camera& b) {
  return a.eye == b.eye && a.target == b.target && a.up == b.up && a.fov == b.fov;
}

bool same(const Look& a, const Look& b) {
  return a.background_top == b.background_top && a.background_bottom == b.background_bottom &&
         a.ground == b.ground && a.light_azimuth == b.light_azimuth &&
         a.light_elevation == b.light_elevation && a.light_radius == b.light_radius &&
         a.exposure == b.exposure;
}

bool same(const RenderSettings& a, const RenderSettings& b) {
  return a.width == b.width && a.height == b.height && a.samples == b.samples && a.whole == b.whole;
}

bool same(const std::vector<ShotPlane>& a, const std::vector<ShotPlane>& b) {
  return std::ranges::equal(a, b, [](const ShotPlane& p, const ShotPlane& q) {
    return p.point == q.point && p.normal == q.normal;
  });
}

}  // namespace

bool Redraw::Drawn::is(const ShotMesh& mesh) const {
  return color == mesh.color && crease == mesh.crease && map == mesh.map &&
         range.low == mesh.range.low && range.high == mesh.range.high && paint == mesh.paint &&
         (paint == nullptr || paint_revision == paint->revision) &&
         std::ranges::equal(values, mesh.values) && std::ranges::equal(points, mesh.points) &&
         std::ranges::equal(triangles, mesh.triangles);
}

void Redraw::Drawn::take(const ShotMesh& mesh) {
  points.assign(mesh.points.begin(), mesh.points.end());
  triangles.assign(mesh.triangles.begin(), mesh.triangles.end());
  values.assign(mesh.values.begin(), mesh.values.end());
  color = mesh.color;
  crease = mesh.crease;
  map = mesh.map;
  range = mesh.range;
  paint = mesh.paint;
  paint_revision = paint == nullptr ? 0 : paint->revision;
}

bool Redraw::follow(const Shot& shot, const RenderSettings& settings) {
  const bool comparable = any_ && same(camera_, shot.camera) && same(look_, shot.look) &&
                          same(settings_, settings) && same(planes_, shot.planes) &&
                          drawn_.size() == shot.meshes.size();
  any_ = true;
  camera_ = shot.camera;
  look_ = shot.look;
  settings_ = settings;
  planes_ = shot.planes;
  drawn_.resize(shot.meshes.size());
  moved_.clear();
  moved_closely_.clear();
  for (std::size_t m = 0; m < shot.meshes.size(); ++m) {
    if (comparable && drawn_[m].is(shot.meshes[m])) continue;
    if (comparable) {
      const ShotMesh& now = shot.meshes[m];
      for (BoxSet* boxes : {&moved_, &moved_closely_}) {
        boxes->begin_mesh(bounds_of(drawn_[m].points).merged(bounds_of(now.points)));
        boxes->add(drawn_[m].points, drawn_[m].triangles);
        boxes->add(now.points, now.triangles);
        boxes->end_mesh();
      }
    }
    drawn_[m].take(shot.meshes[m]);
  }
  return comparable;
}

bool Redraw::mark_seen(const View& view, std::uint8_t flag, std::span<std::uint8_t> pixels) const {
  // A point is eye + depth (corner + x right + y down): three equations for depth, depth x, depth
  // y.
  Eigen::Matrix3f axes;
  axes << view.corner, view.right, view.down;
  const Eigen::Matrix3f to_picture = axes.inverse();
  bool in_front = true;
  moved_closely_.for_each_part([&](const AlignedBox3f& box) {
    Eigen::Vector2f low = Eigen::Vector2f::Constant(1e9f), high = -low;
    for (int c = 0; c < 8; ++c) {
      const Vector3f corner = box.corner(AlignedBox3f::CornerType(c));
      const Vector3f p = to_picture * (corner - view.eye);
      in_front = in_front && p[0] > 1e-3f * view.distance;
      low = low.cwiseMin(p.tail<2>() / p[0]);
      high = high.cwiseMax(p.tail<2>() / p[0]);
    }
    if (!in_front) return;
    // Two pixels around: eye rays of an edge's refinement lie anywhere in theirs.
    const auto first = [](float x) { return int(std::clamp(std::floor(x) - 2, 0.0f, 1e6f)); };
    const auto last = [](float x, int size) {
      return int(std::clamp(std::ceil(x) + 2, 0.0f, float(size)));
    };
    for (int y = first(low.y()); y < last(high.y(), view.height); ++y)
      for (int x = first(low.x()); x < last(high.x(), view.width); ++x)
        pixels[std::size_t(y) * std::size_t(view.width) + std::size_t(x)] |= flag;
  });
  return in_front;
}

}  // namespace pliant
