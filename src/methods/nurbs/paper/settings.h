#pragma once

#include <array>
#include <optional>

#include "core/fields.h"
#include "math/types.h"

namespace pliant::nurbs::paper {

/// What the paper leaves to choose, and what it prints in two ways. Defaults are what was found
/// to serve real models; docs/methods/nurbs_paper.md has the figures.
struct Settings {
  enum class Connect { none, weld, stitch };
  enum class Inside { winding, orientation };
  enum class Origins { heaviest, lightest };
  enum class Metric { area, parameter };

  int order = 2;  // of the polynomials: 1 or 2
  Connect connect = Connect::stitch;
  std::optional<double> cutoff = {};    // [m] alpha of the blending weights
  std::optional<double> sparsity = {};  // share of pairs of points and faces that are blended
  /// Rays along y and z and points along each run of a ray, as in the paper: rays go along x.
  /// Otherwise the axis and all numbers are chosen.
  std::optional<Vec3> rays = {};
  Inside inside = Inside::winding;
  double stability = 1;  // of the error energy: gamma times length over Young's modulus
  std::optional<double> length =
      {};              // [m] of the error energy; otherwise the cube root of the volume
  double pull = 1e-2;  // of badly determined linear terms towards those of the cluster
  Origins origins = Origins::heaviest;
  Metric metric = Metric::area;
};
void describe(Fields& fields, Settings& settings);

}  // namespace pliant::nurbs::paper
