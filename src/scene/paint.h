#pragma once

#include <map>
#include <string>

#include "body/skin.h"

namespace pliant {

/// Colors of a body's triangles, where its file gives its faces colors of their own.
struct Paint {
  std::vector<Vec3> color;       // sRGB
  std::vector<int> of_triangle;  // which, per triangle of the drawn skin; -1 = the body's; empty =
                                 // the body has one color

  bool empty() const { return of_triangle.empty(); }
};

/// `colors`: of groups of the skin, sRGB.
Paint paint_of(const Skin& skin, const std::map<std::string, Vec3>& colors);

/// What color most of the surface has.
Vec3 main_color(const Skin& skin, const Paint& paint, const Vec3& otherwise);

}  // namespace pliant
