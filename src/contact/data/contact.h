#pragma once

#include <array>
#include <compare>
#include <vector>

#include "math/types.h"

namespace pliant {

/// Identifies a contact from substep to substep, in one total order, which is the order of all
/// sums.
struct ContactKey {
  enum Kind : int {
    vertex_collider,  // a vertex of a skin with a collider's surface
    corner_collider,  // a corner of a collider with a triangle of a skin
    edge_collider,    // ridges of the two
    vertex_triangle,
    edge_edge,
    bond
  };
  int kind = vertex_collider;
  int body_a = 0;
  int body_b = 0;     // of a collider: its index; of a bond without a second body: -1
  int feature_a = 0;  // vertex or edge, with colliders' corners and edges theirs
  int feature_b = 0;  // edge, or number of a bond; of a vertex 0, and 1 and 2 in hollow corners

  auto operator<=>(const ContactKey&) const = default;
  bool has_collider() const { return kind <= edge_collider; }
  bool involves(int body) const { return body_a == body || (!has_collider() && body_b == body); }
};
template <>
struct Stored<ContactKey> {
  using Scalar = int;
  static constexpr std::size_t count = 5;
};

/// A point on a skin, or carried by it: up to four vertices with shares that sum to one. Without a
/// body it is a point of a collider, which no load can move.
struct Anchor {
  int body = -1;
  int count = 0;
  std::array<int, 4> vertex{};
  std::array<double, 4> share{};

  /// Where it is when the skin's vertices are at `points`.
  Vec3 point(const std::vector<Vec3>& points) const {
    Vec3 sum = Vec3::Zero();
    for (int k = 0; k < count; ++k) sum += share[k] * points[vertex[k]];
    return sum;
  }
  static Anchor on_vertex(int body, int vertex) {
    return {body, 1, {vertex, 0, 0, 0}, {1.0, 0, 0, 0}};
  }
  static Anchor on_edge(int body, const std::array<int, 2>& ends, double share) {
    return {body, 2, {ends[0], ends[1], 0, 0}, {1 - share, share, 0, 0}};
  }
  static Anchor on_triangle(int body, const std::array<int, 3>& corners, const Vec3& share) {
    return {body, 3, {corners[0], corners[1], corners[2], 0}, {share[0], share[1], share[2], 0}};
  }
};

/// Two points that must not pass each other. With x = a's point - b's point, both from their nodes,
/// gap = normal . (x - point) - thickness.
/// Or a bond: two points that must stay together, x = point, in all directions; its impulse may be
/// anything, `normal`, `goal` and `friction` mean nothing, and its gap is minus the distance.
struct Contact {
  // What is looked at most often lies together.
  ContactKey key;
  double gap = 0;               // [m] before the solve, then after it
  double goal = 0;              // [m] gap asked for; negative while deep overlap is undone gently
  double thickness = 0;         // [m] kept between the surfaces
  double tolerance = 0;         // [m] of the gap
  Vec3 impulse = Vec3::Zero();  // [kg m] on a; normal part >= 0, tangential part inside the cone
  Vec3 normal = Vec3::UnitY();  // from b to a, fixed during the substep
  double friction = 0;          // Coulomb
  Anchor a, b;
  Vec3 point = Vec3::Zero();   // [m] of a collider at the end of the substep; zero between bodies
  Vec3 motion = Vec3::Zero();  // [m] of a collider's point during the substep; zero between bodies
  double compliance = 0;       // [1/kg] of a bond: off by compliance * impulse at rest. 0 = stiff
  double relaxation = 0;       // of others: a compliance of so many times what the impulse moves

  double distance() const { return gap + thickness; }  // [m] between the surfaces; below 0: overlap
  bool is_bond() const { return key.kind == ContactKey::bond; }
  bool is_self() const { return a.body == b.body && !is_bond(); }  // self-contact
};

/// `impulse` with its normal part at least zero and its tangential part inside the cone.
inline Vec3 clamp_to_cone(const Vec3& impulse, const Vec3& normal, double friction) {
  const double pressing = impulse.dot(normal);
  if (pressing <= 0) return Vec3::Zero();
  const Vec3 tangential = impulse - pressing * normal;
  const double size = tangential.norm(), most = friction * pressing;
  return pressing * normal + (size > most ? Vec3(most / size * tangential) : tangential);
}

}  // namespace pliant
