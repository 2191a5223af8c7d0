#include "picture/box_set.h"

#include <algorithm>

#include "core/assert.h"

namespace pliant {
namespace {

using Eigen::AlignedBox3f;
using Eigen::Vector3f;

void grow(AlignedBox3f& box, float by) { box = {box.min().array() - by, box.max().array() + by}; }

// Whether the ray from `origin` meets the box grown by `margin` on each side: slabs, Kay and Kajiya
// 1986.
bool meets(const AlignedBox3f& box, const Vector3f& origin, const Vector3f& margin,
           const Vector3f& inverse) {
  const Vector3f a = (box.min() - margin - origin).cwiseProduct(inverse);
  const Vector3f b = (box.max() + margin - origin).cwiseProduct(inverse);
  const float enters = a.cwiseMin(b).maxCoeff(), leaves = a.cwiseMax(b).minCoeff();
  return leaves >= std::max(enters, 0.0f);
}

}  // namespace

AlignedBox3f bounds_of(std::span<const Vector3f> points) {
  AlignedBox3f box;
  for (const Vector3f& p : points)
    if (p.allFinite()) box.extend(p);
  return box;
}

void BoxSet::clear() {
  meshes_.clear();
  all_.setEmpty();
}

void BoxSet::begin_mesh(const AlignedBox3f& bounds) {
  meshes_.push_back({bounds, std::vector<AlignedBox3f>(std::size_t(cuts_ * cuts_ * cuts_))});
}

void BoxSet::add(std::span<const Vector3f> points, std::span<const Triangle> triangles) {
  ASSERT(!meshes_.empty(), "a mesh was begun");
  Mesh& mesh = meshes_.back();
  if (mesh.whole.isEmpty()) return;
  const Vector3f scale = float(cuts_) * mesh.whole.sizes().cwiseMax(1e-30f).cwiseInverse();
  for (const Triangle& t : triangles) {
    AlignedBox3f box;
    for (const int corner : t) box.extend(points[std::size_t(corner)]);
    const Vector3f place = (box.center() - mesh.whole.min()).cwiseProduct(scale);
    if (!place.allFinite()) continue;  // not drawn either
    int part = 0;
    for (int axis = 0; axis < 3; ++axis)
      part = part * cuts_ + std::clamp(int(place[axis]), 0, cuts_ - 1);
    mesh.parts[std::size_t(part)].extend(box);
  }
}

void BoxSet::end_mesh() {
  Mesh& mesh = meshes_.back();
  std::erase_if(mesh.parts, [](const AlignedBox3f& box) { return box.isEmpty(); });
  if (mesh.parts.empty()) {
    meshes_.pop_back();
    return;
  }
  // Rays are followed in floats: what passes closer than their rounding counts as met.
  const Vector3f farthest = mesh.whole.min().cwiseAbs().cwiseMax(mesh.whole.max().cwiseAbs());
  const float rounding = 1e-4f * (mesh.whole.sizes().maxCoeff() + farthest.maxCoeff());
  for (AlignedBox3f& box : mesh.parts) grow(box, rounding);
  grow(mesh.whole, rounding);
  all_.extend(mesh.whole);
}

bool BoxSet::may_meet(const AlignedBox3f& from, const Vector3f& inverse) const {
  if (meshes_.empty()) return false;
  const Vector3f origin = from.center(), margin = 0.5f * from.sizes();
  if (!meets(all_, origin, margin, inverse)) return false;
  for (const Mesh& mesh : meshes_) {
    if (!meets(mesh.whole, origin, margin, inverse)) continue;
    for (const AlignedBox3f& part : mesh.parts)
      if (meets(part, origin, margin, inverse)) return true;
  }
  return false;
}

}  // namespace pliant
