#pragma once

#include <array>
#include <vector>

#include "body/skin.h"

namespace pliant {

/// What is seen of a body whose contact surface (Body::skin) is coarser. It is brought up to date
/// once a step; nothing touches it.
struct DrawnSkin {
  Skin skin;                // `previous` and `at_detection` stay empty
  std::vector<int> vertex;  // per contact vertex: the drawn vertex it is

  /// Where a drawn vertex lies on the contact surface at rest: what is known at contact vertices is
  /// carried to drawn ones by these shares, and back.
  struct Place {
    std::array<int, 3> vertex;  // of contact
    std::array<double, 3> share;
  };
  std::vector<Place> place;  // per drawn vertex

  double outside = 0;   // [m] how far it reaches out of the contact surface at rest
  double distance = 0;  // [m] the farthest that a point of one is from the other at rest
};

/// A sum per contact vertex (of force, or area) spread over the drawn vertices near it, by their
/// shares of the surface: the total stays.
std::vector<Vec3> carried_to_drawn(const DrawnSkin& drawn, const std::vector<Vec3>& of_contact);

/// Contact vertices that stand for chosen drawn ones: those among them, or else the nearest ones.
/// Rising.
std::vector<int> contact_vertices_for(const DrawnSkin& drawn, const std::vector<int>& chosen);

}  // namespace pliant
