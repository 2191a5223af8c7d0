#pragma once

#include <span>

#include "contact/surface/candidate_list.h"

namespace pliant {

/// As many triangles as are compared with a point at once.
constexpr int triangles_at_once = 4;

/// Which of these triangles (at most that many) may lie within `reach` [m] of p, or have it over
/// their inside within `over`: bit k for the k-th. Those that it leaves out do not; some that do
/// not may be left in.
unsigned triangles_in_reach(const Vec3& p, const Skin& skin, std::span<const Candidate> triangles,
                            double reach, double over);

/// How far p is from the nearest of these triangles, or a hair less [m]; 0 if one of them is too
/// thin to tell.
double distance_to_nearest(const Vec3& p, const Skin& skin, std::span<const Candidate> triangles);

}  // namespace pliant
