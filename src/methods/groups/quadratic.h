#pragma once

#include "methods/groups/groups.h"
#include "methods/shared/shape_law/project.h"

namespace pliant::groups {

/// Bending and twisting of groups: movement quadratic in the rest position. The deformation
/// gradient of a group cannot see it, so that the filter has to hold it with a stiffness that has
/// nothing to do with the material. Here it gets the material's own: for x = fit + sum of w_m
/// phi_m(arm), with phi_m orthogonal to all linear functions and to each other by weight, the shape
/// energy mu/2 F:F averaged over the group grows by mu/2 |w_m|^2 mean |grad phi_m|^2.
struct QuadraticModes {
  std::vector<int> start;         // modes of group g: start[g] .. start[g + 1]
  std::vector<int> first;         // of a mode: where its values begin
  std::vector<double> value;      // [1/sqrt(kg)] phi at each member of the group, mode after mode
  std::vector<double> stiffness;  // [1/s^2] k_m of each mode

  bool empty() const { return start.empty(); }
};

/// Groups whose members cannot tell a mode from others (a hexahedron has no x^2) do without it.
QuadraticModes quadratic_modes(const Shapes& shapes);

/// One implicit step of length h of the modes of group g. What neither fit nor modes can see loses
/// `share`. `before` as in filter().
void filter_quadratic(const Shapes& shapes, const QuadraticModes& modes, int g, double share,
                      double h, Places before, Members members);

}  // namespace pliant::groups
