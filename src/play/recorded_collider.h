#pragma once

#include <string>
#include <vector>

#include "contact/colliders/collider.h"
#include "play/record_bytes.h"

namespace pliant {

/// A bounded collider as recorded: a surface that stays as it is, and where it is.
struct RecordedCollider {
  std::string name;
  Vec3 color = Vec3::Zero();
  std::vector<Eigen::Vector3f> points;  // [m] in its own coordinates
  std::vector<Triangle> triangles;
  Pose pose;  // as of the frame read last

  void take_pose(Cursor& cursor);
};

/// All but planes, which are endless.
void put_colliders(std::vector<std::byte>& buffer, const std::vector<Collider>& colliders);
/// Throws IoError when damaged.
std::vector<RecordedCollider> take_colliders(Cursor& cursor);
void put_poses(std::vector<std::byte>& buffer, const std::vector<Collider>& colliders, double time);

}  // namespace pliant
