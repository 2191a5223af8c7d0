#include "world/blades.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace pliant {
namespace {

constexpr double same_plane = 0.999999;  // cosine between normals: a fifteenth of a degree
using Rectangle = std::array<Vec3, 4>;

struct BladeShape {
  int across = 0;        // axis of the shortest side
  double thickness = 0;  // [m]
  Rectangle corners;     // local
};

BladeShape blade_shape(const BoxShape& box) {
  BladeShape shape;
  box.half.minCoeff(&shape.across);
  shape.thickness = 2 * box.half[shape.across];
  const int u = (shape.across + 1) % 3, v = (shape.across + 2) % 3;
  for (int k = 0; k < 4; ++k) {
    Vec3& corner = shape.corners[std::size_t(k)];
    corner.setZero();
    corner[u] = k == 0 || k == 3 ? -box.half[u] : box.half[u];
    corner[v] = k < 2 ? -box.half[v] : box.half[v];
  }
  return shape;
}

Rectangle placed(const BladeShape& shape, const Pose& pose) {
  Rectangle corners;
  for (std::size_t k = 0; k < 4; ++k) corners[k] = pose.apply(shape.corners[k]);
  return corners;
}

Vec3 normal_of(std::span<const Vec3> corners) {
  return (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalized();
}

/// Round two places of a rectangle in one plane: what it swept between them.
std::vector<Vec3> hull(std::span<const Vec3> points, const Vec3& normal) {
  const Vec3 along = normal.unitOrthogonal(), across = normal.cross(along);
  std::vector<Vec3> sorted(points.begin(), points.end());
  std::sort(sorted.begin(), sorted.end(), [&](const Vec3& a, const Vec3& b) {
    const double x = a.dot(along), y = b.dot(along);
    return x != y ? x < y : a.dot(across) < b.dot(across);
  });
  std::vector<Vec3> round;
  const auto go_round = [&](auto begin, auto end) {
    const std::size_t first = round.size();
    for (auto p = begin; p != end; ++p) {
      while (round.size() >= first + 2) {
        const Vec3 &a = round[round.size() - 2], &b = round.back();
        if ((b - a).cross(*p - a).dot(normal) > 0) break;
        round.pop_back();
      }
      round.push_back(*p);
    }
    round.pop_back();  // where the other half begins
  };
  go_round(sorted.begin(), sorted.end());
  go_round(sorted.rbegin(), sorted.rend());
  return round;
}

}  // namespace

Blades::Pass& Blades::pass_of(const Collider& blade, const Body& body) {
  for (Pass& pass : passes_)
    if (pass.blade == blade.id && pass.body == body.id) return pass;
  passes_.push_back({blade.id, body.id, {}});
  return passes_.back();
}

/// Whether it moved on in its plane; where it left that, or is new, the pass begins there.
bool Blades::Pass::go_to(std::span<const Vec3> at, double thickness) {
  if (!corners.empty()) {
    if (std::equal(at.begin(), at.end(), corners.end() - 4)) return false;
    const Vec3 normal = normal_of(corners);
    if (normal.dot(normal_of(at)) > same_plane &&
        std::abs(normal.dot(at[0] - corners[0])) < thickness) {
      corners.insert(corners.end(), at.begin(), at.end());
      return true;
    }
  }
  corners.assign(at.begin(), at.end());
  return false;
}

Cut Blades::Pass::cut() const {
  Cut made{.point = corners[0], .normal = normal_of(corners)};
  for (std::size_t k = 0; k + 8 <= corners.size(); k += 4)
    made.within.push_back(hull(std::span(corners).subspan(k, 8), made.normal));
  made.spared.assign(corners.begin(), corners.begin() + 4);
  return made;
}

void Blades::follow(std::span<const Body> bodies, std::span<const Collider> colliders, double begin,
                    double end, FunctionRef<bool(BodyId, const Cut&)> cut) {
  for (const Collider& collider : colliders) {
    const auto* box = std::get_if<BoxShape>(&collider.shape);
    if (!collider.cuts || !box) continue;
    const BladeShape shape = blade_shape(*box);
    std::vector<Pose> poses;
    collider.follow(begin, end, poses);
    Box swept;
    for (const Pose& pose : poses)
      for (const Vec3& corner : placed(shape, pose)) swept.add(corner);
    for (const Body& body : bodies) {
      if (!body.method->can_be_cut()) continue;
      Pass& pass = pass_of(collider, body);
      if (!swept.overlaps(bounds(body.skin.position))) {
        pass.corners.clear();
        continue;
      }
      bool moved = false;
      for (const Pose& pose : poses)
        moved = pass.go_to(placed(shape, pose), shape.thickness) || moved;
      moved = moved && pass.corners.size() > 4;  // or it left its plane at last
      if (moved && cut(body.id, pass.cut()))
        pass.corners.erase(pass.corners.begin(), pass.corners.end() - 4);
    }
  }
  std::erase_if(passes_, [](const Pass& pass) { return pass.corners.empty(); });
}

void Blades::archive(Archive& archive, std::span<const Body> bodies,
                     std::span<const Collider> colliders) {
  std::vector<int> blade, body, count;
  std::vector<Vec3> corners;
  for (const Pass& pass : passes_) {
    blade.push_back(place_of(colliders, pass.blade));
    body.push_back(place_of(bodies, pass.body));
    count.push_back(int(pass.corners.size()));
    corners.insert(corners.end(), pass.corners.begin(), pass.corners.end());
  }
  archive.array("blades", blade);
  archive.array("bodies under blades", body);
  archive.array("places of blades", count);
  archive.array("corners of blades", corners);
  if (!archive.is_loading()) return;
  passes_.clear();
  std::size_t first = 0;
  for (std::size_t i = 0; i < blade.size(); ++i) {
    const bool fits = i < body.size() && i < count.size() && count[i] >= 0 &&
                      first + std::size_t(count[i]) <= corners.size() && blade[i] >= 0 &&
                      blade[i] < int(colliders.size()) && body[i] >= 0 &&
                      body[i] < int(bodies.size());
    if (!fits) throw ArchiveError("the saved blades are not those of this scene");
    const auto begin = corners.begin() + std::ptrdiff_t(first);
    passes_.push_back({colliders[std::size_t(blade[i])].id,
                       bodies[std::size_t(body[i])].id,
                       {begin, begin + count[i]}});
    first += std::size_t(count[i]);
  }
}

}  // namespace pliant
