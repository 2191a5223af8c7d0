#pragma once

#include <optional>

#include "methods/nurbs/paper/part_surface.h"

namespace pliant::nurbs::paper {

/// Which parts move a place, and how much: of sum 1.
struct Blend {
  std::vector<int> part;  // rising
  std::vector<double> weight;
};

/// Blending weights: 1 on a part, falling to 0 where another part is met or the cut-off ends.
class Blending {
 public:
  explicit Blending(const PartSurface& surface) : surface_(surface) {}

  /// [m] The largest distance of a place from the surface: any cut-off above leaves none without
  /// a part.
  double least_cutoff(const std::vector<Vec3>& places) const;
  /// [m] The smallest, at least `least`, with which this share of pairs of places and parts is
  /// blended.
  double cutoff_for(double share, double least, const std::vector<Vec3>& places) const;

  /// `own`: the part that the place lies on; -1 = it lies inside. False: no part is within the
  /// cut-off, the nearest has all.
  bool at(const Vec3& place, int own, double cutoff, Blend& blend) const;

 private:
  struct Reach {
    double primary = 0;  // [m] from the nearest point of the part
    double total = 0;    // [m] from there on to the next part; 0: the part itself comes next
  };
  std::optional<Reach> reach(const Vec3& place, int part, double within) const;
  static double theta(const Reach& reach, double cutoff);

  const PartSurface& surface_;
};

}  // namespace pliant::nurbs::paper
