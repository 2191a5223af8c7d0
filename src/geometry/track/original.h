#pragma once

#include <array>
#include <span>
#include <vector>

#include "geometry/mesh/triangle_mesh.h"
#include "geometry/query/bvh.h"
#include "geometry/track/tracked_surface.h"

namespace pliant::track {

/// The surface as it was given, to find the places between places on it.
class OriginalSurface {
 public:
  explicit OriginalSurface(const TriangleMesh& mesh);

  const TriangleMesh& mesh() const { return mesh_; }
  Vec3 point(const Origin& origin) const;

  /// The place at these weights between places. `triangle`, where it is not -1, is preferred: when
  /// it holds all of them the weights are exact. Otherwise the nearest place to the point between.
  Origin between(std::span<const Origin> places, std::span<const double> weights,
                 int triangle) const;

  /// Weights of `triangle`'s corners for a place on it or nearest to it: texture coordinates of a
  /// piece of `triangle` are these weights times its own, so no seam runs through it.
  Vec3 weights_in(int triangle, const Origin& origin) const;

  /// Per point: has a face more than 65 degrees away from its normal.
  const std::vector<char>& spikes() const { return spike_; }

 private:
  bool expressed_in(int triangle, const Origin& origin, Vec3& weights) const;

  TriangleMesh mesh_;
  Bvh bvh_;
  std::vector<char> spike_;
};

}  // namespace pliant::track
