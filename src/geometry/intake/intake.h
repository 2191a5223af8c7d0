#pragma once

#include <string>
#include <vector>

#include "geometry/mesh/topology.h"
#include "geometry/mesh/triangle_mesh.h"

namespace pliant {

/// Of the size of a surface: points that close are one, told apart by rounding only, as at the
/// poles of a globe.
inline constexpr double rounding = 1e-10;

struct IntakeSettings {
  double weld = 0;       // [m] points closer than this become one; at least `rounding` of the size
  double thickness = 0;  // [m] an open surface becomes a solid of this thickness; 0 = it does not
};

/// What was found in a surface. Triangles are those of the surface as given, edges are pairs of
/// points of the mesh that was made of it.
struct Defects {
  int welded = 0;              // points at the place of an earlier one: seams, triangle soups
  int moved = 0;               // of them, that lay beside it, within the tolerance
  int unused = 0;              // points that belong to no triangle
  std::vector<int> flat;       // triangles without area
  std::vector<int> repeated;   // triangles that were there already
  std::vector<int> opposed;    // the same triangle from both sides: inner walls, double sheets
  std::vector<int> turned;     // triangles that faced the other way than their part or inwards
  std::vector<int> one_sided;  // triangles of parts without two sides
  int turned_parts = 0;        // whole parts that were inside out
  std::vector<std::array<int, 2>> crowded;  // edges with more than two triangles
  std::vector<int> pinched;                 // points where parts touch in nothing but that point
  std::vector<std::vector<int>> holes;      // their rims, rows of points
  int stray = -1;                           // a given point very far from the others; -1 = none
  Topology topology;                        // of the mesh that was made
  bool is_sheet = false;                    // open, with hardly anything inside
};

struct Intake {
  TriangleMesh mesh;        // fit for physics: welded, facing outwards as far as that has a meaning
  std::vector<int> vertex;  // per given point: its point in `mesh`; -1 = none
  Defects defects;
  std::vector<std::string> warnings;  // what was done, a sentence each, without the model's name
};

/// Welds, drops what has no area or is there twice, and turns triangles outwards; never moves a
/// point but to weld it. Throws InputError (no file) when nothing is left, or when the surface is
/// one-sided as a Moebius strip is.
Intake take_in(const TriangleMesh& surface, const IntakeSettings& settings = {});

}  // namespace pliant
