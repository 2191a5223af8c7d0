#pragma once

#include <array>
#include <vector>

#include "math/types.h"

namespace pliant::galerkin {

/// Where a body's energy is measured: quadrature points, each with the nodes that move it. Rows are
/// stored one after the other; point p has entries start[p] .. start[p + 1]. With positions x of
/// the nodes, a point is at sum value * x, deformed by F = sum x gradient^T.
///
/// Four sums make it consistent, whatever the method: values 1, values times rest places the
/// point's own, gradients 0, rest places times gradients the identity.
struct Points {
  std::vector<int> start = {0};
  std::vector<int> node;
  std::vector<double> value;
  std::vector<Vec3> gradient;  // [1/m]
  /// Rotation = polar(sum x spread^T) instead of polar(F); empty when not used.
  std::vector<Vec3> spread;

  std::vector<Vec3> rest;      // [m]
  std::vector<double> volume;  // [m^3]
  std::vector<int> material;   // index into the body's materials
  /// Runs of at most eight points that share most of their nodes, those of one cell: bundle b is
  /// bundle[b] .. bundle[b + 1]. The fast path works through bundles.
  std::vector<int> bundle = {0};

  int size() const { return int(rest.size()); }

  /// Adds a tet of constant deformation as one point. `inverse_rest`: F = [edges from the first
  /// corner] inverse_rest; `at_rest` its volume, `of` its material. After the last one call
  /// end_bundle().
  void add_tet(const std::array<int, 4>& corners, const Mat3& inverse_rest, const Vec3& middle,
               double at_rest, int of);
  void end_bundle();
};

/// How far the four sums are from what they must be, in units of 1 and of the spacing of the nodes.
struct Consistency {
  double values = 0, places = 0, gradients = 0, identity = 0;
  double worst() const;
};
Consistency consistency(const Points& points, const std::vector<Vec3>& nodes, double spacing);

/// The same entries seen from the nodes: node n is in entries entry[start[n]] .. of points point[].
/// Sums over it have one order, so forces do not depend on threads.
struct Incidence {
  std::vector<int> start;
  std::vector<int> point;
  std::vector<int> entry;

  Incidence(const Points& points, int nodes);
};

/// Nodes that share a point with each node, itself included, rising.
struct Graph {
  Graph() = default;
  std::vector<int> start = {0};
  std::vector<int> neighbour;

  Graph(const Points& points, const Incidence& incidence, int nodes);
};

}  // namespace pliant::galerkin
