#pragma once

#include <span>
#include <vector>

#include "materials/hookean.h"
#include "materials/material.h"
#include "methods/shared/two_constraints.h"

namespace pliant::shape_law {

/// How stress follows from deformation.
enum class Law {
  neo_hookean,     // rubber: keeps its volume, comes back from being inside out
  hookean,         // Hooke's law for Green's strain: see materials/hookean.h
  shape_matching,  // the classic: members are drawn to their best rigid fit; knows no Poisson's
                   // ratio
};

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
  double hold = 0;  // [N/m] of patches: stiffness against all that the fit does not see
};

/// The rest shapes of all groups of a body, and what they are made of. Members of group g:
/// member[start[g]] .. member[start[g + 1]). Filled by add_shape().
struct Shapes {
  std::vector<int> start = {0}, member;
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
  Mat3 cauchy(int g, const Mat3& F) const {  // [Pa]
    return hookean.empty() ? law[g].cauchy(F) : hookean[g].cauchy(F);
  }
  double sideways(int g) const {
    return hookean.empty() ? law[g].sideways() : hookean[g].sideways();
  }
  double von_mises(int g, const Mat3& F) const {  // [Pa]
    return hookean.empty() ? law[g].von_mises(F) : hookean[g].von_mises(F);
  }
};

/// One group as add_shape() takes it; all spans have one entry per member.
struct NewShape {
  std::span<const int> members;    // particles
  std::span<const Vec3> arms;      // [m] from the rest centre by weight: their weighted sum is zero
  std::span<const double> weight;  // [kg] in the fit; they sum to the members' mass
  std::span<const double> mass;    // [kg]
  double volume = 0;               // [m^3] of material
  double hold = 0;                 // [N/m] as in Shape
};

/// Appends a group of this material. Its `length` is 0 when all members are in one place.
const Shape& add_shape(const NewShape& group, const Material& material, Law law, Lame lame,
                       Shapes& shapes);

/// Gives group g other arms, centred by weight. `mass` [kg] of its members.
void set_arms(Shapes& shapes, int g, std::span<const Vec3> arms, std::span<const double> mass);

/// Where the members of one group are, one after the other.
using Places = std::span<const Vec3>;

/// Their centre, by weight.
Vec3 centre(const Shapes& shapes, int g, Places x);

/// How group g maps rest vectors to present ones, best by weight. Thin groups are completed by the
/// unit normal of what they are now, so that J is their change of area; lines by a rotation.
Mat3 deformation(const Shapes& shapes, int g, Places x);
Mat3 deformation(const Shapes& shapes, int g, const std::vector<Vec3>& position);

}  // namespace pliant::shape_law
