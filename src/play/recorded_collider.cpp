#include "play/recorded_collider.h"

#include "play/collider_mesh.h"

namespace pliant {

void put_colliders(std::vector<std::byte>& buffer, const std::vector<Collider>& colliders) {
  std::vector<std::byte> all;
  std::int32_t count = 0;
  for (const Collider& collider : colliders) {
    if (std::holds_alternative<PlaneShape>(collider.shape)) continue;
    ++count;
    const TriangleMesh surface = surface_of(collider.shape);
    put(all, collider.name);
    for (int k = 0; k < 3; ++k) put(all, collider.color[k]);
    std::vector<Eigen::Vector3f> points;
    for (const Vec3& p : surface.points) points.push_back(p.cast<float>());
    put_array(all, points);
    put_array(all, surface.triangles);
  }
  put(buffer, count);
  put(buffer, all.data(), all.size());
}

std::vector<RecordedCollider> take_colliders(Cursor& cursor) {
  constexpr std::size_t least = 3 * sizeof(std::int32_t) + 3 * sizeof(double);
  std::vector<RecordedCollider> colliders(std::size_t(cursor.take_count(least)));
  for (RecordedCollider& collider : colliders) {
    collider.name = cursor.take_text();
    for (int k = 0; k < 3; ++k) collider.color[k] = cursor.take<double>();
    cursor.take_array(collider.points);
    cursor.take_array(collider.triangles);
    for (const Triangle& t : collider.triangles)
      for (const int v : t)
        if (v < 0 || v >= int(collider.points.size()))
          throw IoError("the recording is damaged: a collider has a corner that is not there");
  }
  return colliders;
}

void put_poses(std::vector<std::byte>& buffer, const std::vector<Collider>& colliders,
               double time) {
  for (const Collider& collider : colliders) {
    if (std::holds_alternative<PlaneShape>(collider.shape)) continue;
    const Pose pose = collider.at(time);
    put(buffer, pose.rotation.coeffs().data(), 4 * sizeof(double));
    put(buffer, pose.position.data(), 3 * sizeof(double));
  }
}

void RecordedCollider::take_pose(Cursor& cursor) {
  cursor.take(pose.rotation.coeffs().data(), 4 * sizeof(double));
  cursor.take(pose.position.data(), 3 * sizeof(double));
}

}  // namespace pliant
