#pragma once

#include <span>
#include <vector>

#include "materials/hookean.h"
#include "methods/groups/groups.h"

namespace pliant::groups {

/// How many directions a group has at rest.
enum class Extent : char {
  full,
  thin,  // a sheet: thinner than a hundredth of its size
  line,  // hardly any width either
};

/// The rest shape of one group. Weights of its members decide the fit, also of those that are held;
/// they sum to the mass, so that a member deep inside a body has about its mass for a weight.
struct Shape {
  Extent extent = Extent::full;
  double mass = 0;               // [kg] M, of all members
  double volume = 0;             // [m^3] of material
  double length = 0;             // [m] root mean square distance from the centre, by weight
  Mat3 axes = Mat3::Identity();  // columns: principal axes, the thinnest direction first
  Vec3 spread = Vec3::Zero();    // [kg m^2] of weight along them, rising: the eigenvalues of Q
  Mat3 inverse = Mat3::Zero();   // [1/(kg m^2)] Q^-1, of thin groups without the thin direction
  Mat3 answer = Mat3::Zero();    // [1/(kg m^2)] sum of b_i b_i^T / m_i: what F answers to a stress
                                 // with all members free; Q^-1 if weights are masses
  double liveliest = 1;          // largest weight / mass
  int ends[2] = {0, 0};          // of lines: which members are farthest out
  double hold = 0;               // [N/m] of patches, see Groups
};

/// The rest shapes of all groups of a body, and what they are made of. Never changes after
/// building. Memberships (k from start[g] to start[g + 1]) are those of the groups.
struct Shapes {
  std::vector<int> start, member;
  std::vector<double> weight;  // [kg] per membership
  std::vector<Vec3> arm;       // [m] from the rest centre, by weight, to the member
  std::vector<Vec3> slope;     // [1/m] b_i = weight_i Q^-1 arm: F = sum of x_i b_i^T
  std::vector<Shape> shape;
  std::vector<NeoHookean> law;   // per group; of thin groups the one for plane stress
  std::vector<Hookean> hookean;  // if not empty groups follow these, and `law` is only what they
                                 // are like near rest
  std::vector<double> young;     // [Pa]
  std::vector<double> damping;   // [1/s] as the user means it
  int patches = 0;               // how many of the last groups are; reports leave them out

  int size() const { return int(shape.size()); }
  int solids() const { return size() - patches; }
  int largest() const;  // members of the largest group
  std::span<const int> members(int g) const {
    return {member.data() + start[g], std::size_t(start[g + 1] - start[g])};
  }

  double energy(int g, const Mat3& F) const {  // [J]
    return shape[g].volume * (hookean.empty() ? law[g].energy(F) : hookean[g].energy(F));
  }
  double von_mises(int g, const Mat3& F) const {  // [Pa]
    return hookean.empty() ? law[g].von_mises(F) : hookean[g].von_mises(F);
  }
};

/// Throws InputError when a group has all its members in one place.
Shapes measure_shapes(const Groups& groups, std::span<const Material> materials,
                      const Settings& settings);

/// Where the members of one group are, one after the other.
using Places = std::span<const Vec3>;

/// Their centre, by weight.
Vec3 centre(const Shapes& shapes, int g, Places x);

/// How group g maps rest vectors to present ones, best by weight. Thin groups are completed by the
/// unit normal of what they are now, so that J is their change of area; lines by a rotation.
Mat3 deformation(const Shapes& shapes, int g, Places x);
Mat3 deformation(const Shapes& shapes, int g, const std::vector<Vec3>& position);

}  // namespace pliant::groups
