#pragma once

#include "geometry/query/winding_number.h"
#include "methods/nurbs/paper/part_surface.h"

namespace pliant::nurbs::paper {

/// Where parallel rays are inside the solid.
class RayCaster {
 public:
  /// What is inside is told by the winding number of the faces, turned outwards by votes; or
  /// `by_orientation`, by counting faces that look forwards and backwards as they are.
  RayCaster(const PartSurface& surface, bool by_orientation);

  struct Run {
    double begin, end;  // [m] along the axis
  };
  /// Along `axis` through `place`, rising. True: the number of faces met is even, as it must be
  /// where no opening lies on the way.
  bool cast(int axis, const Vec3& place, std::vector<Run>& runs) const;

 private:
  struct Hit {
    double at;
    bool faces_along;  // the axis
  };
  void find_hits(int axis, const Vec3& place, std::vector<Hit>& hits) const;

  const PartSurface& surface_;
  WindingNumber winding_;
  bool by_orientation_;
};

/// Quadrature points of the volume on a grid of rays.
struct RayPoints {
  int axis = 0;
  int rays = 0;
  double volume_of_rays = 0;  // [m^3] before points were made to sum up to that of finer rays
  double total = 0;           // [m^3]
  std::vector<Vec3> place = {};
  std::vector<double> volume = {};
};

/// So many rays along the two axes that follow `axis`, and points on each run.
RayPoints cast_grid(const RayCaster& caster, const Box& box, int axis, int rays1, int rays2,
                    int points);
/// About `points` of them, evenly spaced, along the axis with the fewest openings; their volume is
/// that of much finer rays.
RayPoints cast_evenly(const RayCaster& caster, const Box& box, int points);

}  // namespace pliant::nurbs::paper
