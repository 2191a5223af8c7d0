#include "picture/redraw.h"

#include <algorithm>

namespace pliant {
namespace {

using Eigen::AlignedBox3f;
using Eigen::Vector3f;

// Parts a mesh is cut into along each axis: more follow its shape more closely and cost a test
// each.
constexpr int cuts = 2;

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
  return a.width == b.width && a.height == b.height && a.samples == b.samples;
}

bool same(const std::vector<ShotPlane>& a, const std::vector<ShotPlane>& b) {
  return std::ranges::equal(a, b, [](const ShotPlane& p, const ShotPlane& q) {
    return p.point == q.point && p.normal == q.normal;
  });
}

AlignedBox3f bounds(std::span<const Vector3f> points) {
  AlignedBox3f box;
  for (const Vector3f& p : points)
    if (p.allFinite()) box.extend(p);
  return box;
}

// Whether the ray from `origin` meets the box grown by `grow` on each side: slabs, Kay and Kajiya
// 1986.
bool meets(const AlignedBox3f& box, const Vector3f& origin, const Vector3f& grow,
           const Vector3f& inverse) {
  const Vector3f a = (box.min() - grow - origin).cwiseProduct(inverse);
  const Vector3f b = (box.max() + grow - origin).cwiseProduct(inverse);
  const float enters = a.cwiseMin(b).maxCoeff(), leaves = a.cwiseMax(b).minCoeff();
  return leaves >= std::max(enters, 0.0f);
}

}  // namespace

bool Redraw::Drawn::is(const ShotMesh& mesh) const {
  return color == mesh.color && crease == mesh.crease && map == mesh.map &&
         range.low == mesh.range.low && range.high == mesh.range.high &&
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
}

Redraw::Moved Redraw::around(const Drawn& before, const ShotMesh& now) const {
  Moved moved;
  moved.whole = bounds(before.points).merged(bounds(now.points));
  if (moved.whole.isEmpty()) return moved;
  moved.parts.resize(cuts * cuts * cuts);
  const Vector3f scale = cuts * moved.whole.sizes().cwiseMax(1e-30f).cwiseInverse();
  const auto add = [&](std::span<const Vector3f> points, std::span<const Triangle> triangles) {
    for (const Triangle& t : triangles) {
      AlignedBox3f box;
      for (const int corner : t) box.extend(points[std::size_t(corner)]);
      const Vector3f place = (box.center() - moved.whole.min()).cwiseProduct(scale);
      if (!place.allFinite()) continue;  // not drawn either
      int part = 0;
      for (int axis = 0; axis < 3; ++axis)
        part = part * cuts + std::clamp(int(place[axis]), 0, cuts - 1);
      moved.parts[std::size_t(part)].extend(box);
    }
  };
  add(before.points, before.triangles);
  add(now.points, now.triangles);
  std::erase_if(moved.parts, [](const AlignedBox3f& box) { return box.isEmpty(); });
  // Rays are followed in floats: what passes closer than their rounding counts as met.
  const float rounding =
      1e-4f * (moved.whole.sizes().maxCoeff() +
               moved.whole.min().cwiseAbs().cwiseMax(moved.whole.max().cwiseAbs()).maxCoeff());
  for (AlignedBox3f& box : moved.parts)
    box = {box.min().array() - rounding, box.max().array() + rounding};
  moved.whole = {moved.whole.min().array() - rounding, moved.whole.max().array() + rounding};
  return moved;
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
  all_.setEmpty();
  for (std::size_t m = 0; m < shot.meshes.size(); ++m) {
    if (comparable && drawn_[m].is(shot.meshes[m])) continue;
    if (comparable) {
      moved_.push_back(around(drawn_[m], shot.meshes[m]));
      all_.extend(moved_.back().whole);
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
  for (const Moved& moved : moved_)
    for (const AlignedBox3f& box : moved.parts) {
      Eigen::Vector2f low = Eigen::Vector2f::Constant(1e9f), high = -low;
      for (int c = 0; c < 8; ++c) {
        const Vector3f corner = box.corner(AlignedBox3f::CornerType(c));
        const Vector3f p = to_picture * (corner - view.eye);
        if (p[0] <= 1e-3f * view.distance) return false;
        low = low.cwiseMin(p.tail<2>() / p[0]);
        high = high.cwiseMax(p.tail<2>() / p[0]);
      }
      // Two pixels around: eye rays of an edge's refinement lie anywhere in theirs.
      const auto first = [](float x) { return int(std::clamp(std::floor(x) - 2, 0.0f, 1e6f)); };
      const auto last = [](float x, int size) {
        return int(std::clamp(std::ceil(x) + 2, 0.0f, float(size)));
      };
      for (int y = first(low.y()); y < last(high.y(), view.height); ++y)
        for (int x = first(low.x()); x < last(high.x(), view.width); ++x)
          pixels[std::size_t(y) * std::size_t(view.width) + std::size_t(x)] |= flag;
    }
  return true;
}

bool Redraw::may_meet(const AlignedBox3f& from, const Vector3f& direction) const {
  const Vector3f origin = from.center(), grow = 0.5f * from.sizes();
  const Vector3f inverse =
      direction.unaryExpr([](float d) { return 1 / (std::abs(d) > 1e-12f ? d : 1e-12f); });
  if (!meets(all_, origin, grow, inverse)) return false;
  for (const Moved& moved : moved_) {
    if (!meets(moved.whole, origin, grow, inverse)) continue;
    for (const AlignedBox3f& part : moved.parts)
      if (meets(part, origin, grow, inverse)) return true;
  }
  return false;
}

}  // namespace pliant
